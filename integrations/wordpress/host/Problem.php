<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** A refusal or a failure, as the contract sends it: `application/problem+json` with a code. */
final class Problem extends \RuntimeException
{
    private const STATUSES = [
        'invalid-request' => [400, 'Invalid request'],
        'unauthenticated' => [401, 'Not logged in'],
        'export-limit' => [402, 'Export limit reached'],
        'forbidden' => [403, 'Not allowed'],
        'csrf-failed' => [403, 'The page’s token is not valid'],
        'rest_cookie_invalid_nonce' => [403, 'The page’s token is not valid'],
        'clip-not-found' => [404, 'Clip not found'],
        'export-not-found' => [404, 'Export not found'],
        'upload-not-found' => [404, 'Upload not found'],
        'endpoint-not-found' => [404, 'No such address'],
        'not-found' => [404, 'Not found'],
        'method-not-allowed' => [405, 'Method not allowed'],
        'account-changed' => [409, 'Another account is signed in'],
        'attempt-mismatch' => [409, 'Attempt key used for another request'],
        'revision-changed' => [412, 'Changed by another user'],
        'body-too-large' => [413, 'Body too large'],
        'upload-too-large' => [413, 'File too large'],
        'unsupported-media-type' => [415, 'Unsupported media type'],
        'unprocessable' => [422, 'The request cannot be carried out'],
        'revision-missing' => [428, 'No revision given'],
        'rate-limited' => [429, 'Too many requests'],
        'internal-error' => [500, 'Internal error'],
        'not-supported' => [501, 'The clip service cannot do this'],
        'service-error' => [502, 'The clip service failed'],
        'service-unavailable' => [503, 'The clip service cannot be reached'],
        'service-timeout' => [504, 'The clip service did not answer in time'],
        'storage-full' => [507, 'No space left for files'],
    ];

    public readonly int $status;

    /**
     * @param list<array{path: string, message: string}> $errors fields that are wrong
     * @param ?bool $unknownOutcome whether a start may have been carried out; null if the problem is
     *     about no start
     * @param array<string, string> $headers
     * @param string $reason for the log; never sent
     * @param ?int $serviceStatus what the service answered
     * @param bool $serviceSpoke whether it did so in JSON, which no proxy's error page is
     * @param string $detail for the person
     */
    public function __construct(
        public readonly string $problemCode,
        public readonly array $errors = [],
        public readonly ?bool $unknownOutcome = null,
        public readonly array $headers = [],
        public readonly string $reason = '',
        public readonly ?int $serviceStatus = null,
        public readonly bool $serviceSpoke = false,
        public readonly string $detail = '',
    ) {
        parent::__construct($problemCode);
        $this->status = self::STATUSES[$problemCode][0];
    }

    public static function invalid(string $path, string $message): self
    {
        return new self('invalid-request', [['path' => $path, 'message' => $message]]);
    }

    public function withOutcome(bool $unknown): self
    {
        return new self($this->problemCode, $this->errors, $unknown, $this->headers, $this->reason, $this->serviceStatus, $this->serviceSpoke, $this->detail);
    }

    public function toResponse(): Response
    {
        $body = [
            'title' => self::STATUSES[$this->problemCode][1],
            'status' => $this->status,
            'code' => $this->problemCode,
        ];
        if ($this->detail !== '') $body['detail'] = $this->detail;
        if ($this->errors) $body['errors'] = $this->errors;
        // The page takes a 5xx for a lost start, unless it says that nothing was started.
        if ($this->unknownOutcome || ($this->unknownOutcome === false && $this->status >= 500)) $body['unknown_outcome'] = $this->unknownOutcome;
        return Response::json($this->status, $body, $this->headers);
    }
}
