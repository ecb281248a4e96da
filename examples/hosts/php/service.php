<?php
// The host's calls to the service, and the problems that can result.
declare(strict_types=1);

const CODES = [400 => 'invalid-request', 401 => 'unauthenticated', 402 => 'export-limit', 403 => 'forbidden', 404 => 'not-found',
    405 => 'method-not-allowed', 409 => 'attempt-mismatch', 413 => 'body-too-large', 415 => 'unsupported-media-type',
    429 => 'rate-limited', 500 => 'internal-error', 502 => 'service-error', 503 => 'service-unavailable', 504 => 'service-timeout'];
const STATUSES = ['pending' => 'processing', 'in_progress' => 'processing', 'completed' => 'ready', 'failed' => 'error'];
const FIELDS = ['id', 'status', 'src_url', 'estimated_ready_at', 'project_id', 'created_at', 'finished_at', 'name', 'author_id',
    'folder_id', 'descriptions', 'watermarked'];

final class Problem extends Exception {
    public function __construct(public int $status, public ?string $type = null, public array $more = []) {}
}

function invalid(string $path, string $message): Problem {
    return new Problem(400, null, ['errors' => [['path' => $path, 'message' => $message]]]);
}

/** One call to the service: its JSON, or a problem if it fails. */
function call(string $method, string $path, ?string $managed = null, string $missing = 'not-found', bool $paid = false): array {
    $headers = ['Authorization: Bearer ' . getenv('CLIP_API_KEY'), 'Content-Type: application/json'];
    if ($managed !== null) $headers[] = "X-On-Behalf-Of: $managed";
    $curl = curl_init(rtrim((string) getenv('CLIP_SERVICE_URL'), '/') . $path);
    curl_setopt_array($curl, [CURLOPT_CUSTOMREQUEST => $method, CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30, CURLOPT_PATH_AS_IS => true] + ($method === 'POST' ? [CURLOPT_POSTFIELDS => '{}'] : []));
    $body = curl_exec($curl);
    $status = $body === false ? 0 : curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
    $value = json_decode((string) $body, true);
    if ($status >= 200 && $status < 300 && is_array($value)) return $value;
    if ($status === 404 || ($status === 400 && $missing === 'clip-not-found')) throw new Problem(404, $missing);
    $unknown = $paid && ($status < 400 || $status >= 500 || $status === 408) ? ['unknown_outcome' => true] : [];
    if (curl_errno($curl) === CURLE_OPERATION_TIMEDOUT) $status = 504;
    throw new Problem(in_array($status, [402, 429, 503, 504], true) ? $status : 502, null, $unknown);
}

function clipPath(array $clip): string {
    return '/projects/' . implode('/', array_map('rawurlencode', array_filter([$clip['folder_id'] ?? null, $clip['project_id']])));
}

function exportOf(array $value): array {
    $value['status'] = STATUSES[$value['status']] ?? $value['status'];
    return array_combine(FIELDS, array_map(fn ($name) => $value[$name] ?? null, FIELDS));
}

function exportsOf(string $managed, array $query = []): array {
    $found = call('GET', '/exports?' . http_build_query($query), $managed);
    return array_map('exportOf', $found['exports'] ?? $found);
}

function readExport(string $managed, string $id, array $clip): array {
    return exportOf(call('GET', clipPath($clip) . '/exports/' . rawurlencode($id), $managed, 'export-not-found'));
}
