<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** The start of an export, and the search for the export of a stored attempt. */
final class ExportCall implements PaidCall
{
    /** For clocks that differ. */
    private const CLOCK_TOLERANCE_MS = 60_000;

    /**
     * @param array<string, string> $clip
     * @param array<string, mixed> $options what is sent to the service
     */
    private function __construct(
        private readonly Service $service,
        private readonly Store $store,
        private readonly string $request,
        private readonly array $clip,
        private readonly array $options,
    ) {
    }

    /**
     * @param array<string, string> $clip
     * @param array<string, mixed> $asked what the page asked for; it identifies the attempt
     * @param array<string, mixed> $options what is sent to the service
     */
    public static function of(Service $service, Store $store, array $clip, array $asked, array $options): self
    {
        $mark = $asked['watermark'] ?? null;
        $request = json_encode([$clip['project_id'], $clip['folder_id'] ?? null, $asked['preset_id'] ?? null,
            $mark ? array_values($mark) : null, isset($options['watermark'])], JSON_THROW_ON_ERROR);
        return new self($service, $store, $request, $clip, $options);
    }

    /** The call of a stored attempt, which can only be read and searched for. */
    public static function stored(Service $service, Store $store, string $request): self
    {
        if (!self::isExport($request)) throw new Problem('attempt-mismatch');
        [$project, $folder] = json_decode($request, true);
        $clip = ['project_id' => $project] + ($folder === null ? [] : ['folder_id' => $folder]);
        return new self($service, $store, $request, $clip, []);
    }

    public function request(): string
    {
        return $this->request;
    }

    public function isSame(string $stored): bool
    {
        return self::isExport($stored) && self::asked($stored) === self::asked($this->request);
    }

    public function send(string $managedUser, string $key): array
    {
        return $this->service->startExport($managedUser, $this->clip, $this->options, $key);
    }

    public function complete(string $managedUser, array $started, Attempt $attempt): array
    {
        if (isset($started['project_id'])) return $started;
        try {
            return $this->read($managedUser, $started['id']);
        } catch (Problem) {
            // The export is started and paid for, so a failed read must not fail the start.
            return ['id' => $started['id'], 'status' => 'processing', 'src_url' => null, 'estimated_ready_at' => null,
                'project_id' => $this->clip['project_id'], 'created_at' => gmdate('Y-m-d\TH:i:s\Z', intdiv($attempt->startedAt, 1000)),
                'finished_at' => null, 'name' => '', 'author_id' => $managedUser, 'folder_id' => $this->clip['folder_id'] ?? null,
                'descriptions' => null, 'watermarked' => isset($this->options['watermark'])];
        }
    }

    public function read(string $managedUser, string $id): array
    {
        return $this->service->export($managedUser, $this->clip, $id);
    }

    public function search(string $managedUser, Attempt $attempt, ?string $key): array
    {
        $project = $this->clip['project_id'];
        [$exports, $keepsKeys, $isWhole] = $this->service->findExports($managedUser, $project, $key);
        if ($keepsKeys) return [$exports[0] ?? null, true, true];
        [$found, $isAmbiguous] = $this->fitting($attempt, array_filter($exports, fn ($one) => $one['project_id'] === $project));
        return [$found, false, $isWhole && !$isAmbiguous];
    }

    /**
     * @param array<array<string, mixed>> $exports
     * @return array{0: ?array<string, mixed>, 1: bool} the export that only this attempt can have
     *     started; or whether it may be another one's
     */
    private function fitting(Attempt $attempt, array $exports): array
    {
        // Read after the exports, so that no export is without its attempt.
        $since = $attempt->startedAt - PaidStarts::WINDOW_MS - self::CLOCK_TOLERANCE_MS;
        $others = array_filter($this->store->attemptsSince($attempt->hostUser, $since), fn ($one) => $one->key !== $attempt->key);
        $taken = array_map(fn ($one) => $one->exportId, $others);
        $fitting = array_filter($exports, fn ($one) => !in_array($one['id'], $taken, true) && self::fits($one, $attempt));
        usort($fitting, fn ($a, $b) => self::createdMs($a) <=> self::createdMs($b));
        $rivals = array_filter($others, fn ($other) => $other->exportId === null
            && self::isExport($other->request) && self::asked($other->request)[0] === self::asked($attempt->request)[0]
            && array_filter($fitting, fn ($one) => self::fits($one, $other)));
        if (!$fitting || !$rivals) return [$fitting[0] ?? null, false];
        // If there are as many exports as attempts with the same options, each has started one.
        $unlike = array_filter($rivals, fn ($one) => self::watermarked($one) !== self::watermarked($attempt)
            || $one->startedAt === $attempt->startedAt);
        if ($unlike || count($fitting) <= count($rivals)) return [null, true];
        return [$fitting[count(array_filter($rivals, fn ($one) => $one->startedAt < $attempt->startedAt))], false];
    }

    /** @return list<mixed> */
    private static function asked(string $request): array
    {
        return array_slice(json_decode($request, true), 0, 4);
    }

    /** The request of a task is an object. */
    private static function isExport(string $request): bool
    {
        return str_starts_with($request, '[');
    }

    /** Older versions did not store it. */
    private static function watermarked(Attempt $attempt): ?bool
    {
        return json_decode($attempt->request, true)[4] ?? null;
    }

    /**
     * By its time, and by its options as far as the Export Object has them.
     *
     * @param array<string, mixed> $export
     */
    private static function fits(array $export, Attempt $attempt): bool
    {
        $sinceStart = self::createdMs($export) - $attempt->startedAt;
        $sent = self::watermarked($attempt);
        return $sinceStart >= -self::CLOCK_TOLERANCE_MS && $sinceStart <= PaidStarts::WINDOW_MS + self::CLOCK_TOLERANCE_MS
            && ($sent === null || $export['watermarked'] === null || $export['watermarked'] === $sent);
    }

    /** @param array<string, mixed> $export */
    private static function createdMs(array $export): float
    {
        return (float) (new \DateTimeImmutable((string) $export['created_at'], new \DateTimeZone('UTC')))->format('Uv');
    }
}
