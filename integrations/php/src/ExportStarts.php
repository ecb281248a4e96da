<?php
declare(strict_types=1);
namespace ClipKit\Host;

/**
 * Starts paid exports, once for each attempt key. A start with an unknown outcome is never repeated
 * before the service was asked for it: docs/decisions/0020 of clip-kit has the table of states.
 */
final class ExportStarts
{
    /** How long a start may be carried out after it was sent. */
    private const WINDOW_MS = 120_000;
    /** How long a second request waits for the first one with its key. */
    private const MAX_WAIT_MS = 5_000;
    /** For clocks that differ. */
    private const CLOCK_TOLERANCE_MS = 60_000;

    public function __construct(
        private readonly Service $service,
        private readonly ManagedUsers $users,
        private readonly Store $store,
        private readonly int $startsPerMinute,
    ) {
    }

    /**
     * @param array<string, string> $clip
     * @param array<string, mixed> $asked what the page asked for; it identifies the attempt
     * @param array<string, mixed> $options what is sent to the service
     * @return array{0: array<string, mixed>, 1: bool} the export, and whether it is an earlier one
     */
    public function start(string $hostUser, string $key, array $clip, array $asked, array $options): array
    {
        $mark = $asked['watermark'] ?? null;
        $request = json_encode([$clip['project_id'], $clip['folder_id'] ?? null, $asked['preset_id'] ?? null,
            $mark ? array_values($mark) : null, isset($options['watermark'])], JSON_THROW_ON_ERROR);
        for ($until = Clock::nowMs() + self::MAX_WAIT_MS;; usleep(50_000)) {
            $attempt = new Attempt($hostUser, $key, $request, Clock::nowMs());
            $known = $this->store->claimAttempt($attempt);
            if (!$known) return [$this->send($attempt, $clip, $options, true), false];
            if (self::asked($known) !== self::asked($attempt)) throw new Problem('attempt-mismatch');
            if ($known->state !== 'open' || !self::isFresh($known) || Clock::nowMs() > $until) break;
        }
        [$found, $keepsKeys, $isCertain] = $this->settle($known);
        if ($found) return [$found, true];
        // A service that keeps keys starts nothing twice: no need to wait for what is in flight.
        $mayRepeat = $keepsKeys || ($isCertain && !self::isFresh($known));
        if (!$mayRepeat || !$this->store->moveAttempt($known, $attempt)) {
            throw new Problem('service-timeout', unknownOutcome: true, reason: 'the outcome of this start is not known yet');
        }
        return [$this->send($attempt, $clip, $options, false), false];
    }

    /**
     * @return array{0: ?array<string, mixed>, 1: bool, 2: bool} the export; whether its start may still
     *     be carried out; and whether it is certain: without an export, a later start with the key is
     *     carried out at most once
     */
    public function find(string $hostUser, string $key): array
    {
        $attempt = $this->store->attempt($hostUser, $key);
        if (!$attempt) return [null, false, true];
        [$found, $keepsKeys] = $this->settle($attempt);
        $inFlight = !$found && self::isFresh($attempt) && (!$keepsKeys || $attempt->state === 'open');
        return [$found, $inFlight, $keepsKeys || $found];
    }

    /**
     * @param array<string, string> $clip
     * @param array<string, mixed> $options
     * @param bool $new a refusal for its rate must not tell the page that a resumed attempt was never started
     * @return array<string, mixed>
     */
    private function send(Attempt $attempt, array $clip, array $options, bool $new): array
    {
        $managed = '';
        $refusal = null;
        try {
            if ($new && count($this->store->attemptsSince($attempt->hostUser, $attempt->startedAt - 60_000)) > $this->startsPerMinute) {
                throw new Problem('rate-limited', headers: ['Retry-After' => '60']);
            }
            $started = $this->users->with($attempt->hostUser, function (string $user) use (&$managed, &$refusal, $attempt, $clip, $options): array {
                $managed = $user;
                try {
                    return $this->service->startExport($user, $clip, $options, $attempt->key);
                } catch (Problem $problem) {
                    throw $refusal = $problem;
                }
            });
        } catch (Problem $problem) {
            // Any other failure came before the start was sent, or after the service had refused it.
            $isUnknown = $problem === $refusal && $problem->unknownOutcome;
            $this->note(fn () => $isUnknown
                ? $this->store->moveAttempt($attempt, $attempt->with('unknown'))
                : $this->store->dropAttempt($attempt));
            throw $problem->withOutcome($isUnknown);
        }
        $this->note(fn () => $this->store->moveAttempt($attempt, $attempt->with('settled', $started['id'])));
        if (isset($started['project_id'])) return $started;
        try {
            return $this->service->export($managed, $clip, $started['id']);
        } catch (Problem) {
            // The export is started and paid for, so a failed read must not fail the start.
            return ['id' => $started['id'], 'status' => 'processing', 'src_url' => null, 'estimated_ready_at' => null,
                'project_id' => $clip['project_id'], 'created_at' => gmdate('Y-m-d\TH:i:s\Z', intdiv($attempt->startedAt, 1000)),
                'finished_at' => null, 'name' => '', 'author_id' => $managed, 'folder_id' => $clip['folder_id'] ?? null,
                'descriptions' => null, 'watermarked' => isset($options['watermark'])];
        }
    }

    /**
     * @return array{0: ?array<string, mixed>, 1: bool, 2: bool} the export of an attempt; whether the
     *     service keeps keys; and, without an export, whether it has shown everything that the attempt
     *     can have started
     */
    private function settle(Attempt $attempt): array
    {
        [$project, $folder] = json_decode($attempt->request, true);
        $clip = ['project_id' => $project] + ($folder === null ? [] : ['folder_id' => $folder]);
        if ($attempt->exportId !== null) {
            $export = $this->users->with($attempt->hostUser, fn ($user) => $this->service->export($user, $clip, $attempt->exportId));
            return [$export, true, true];
        }
        [$exports, $keepsKeys, $isWhole] = $this->users->with(
            $attempt->hostUser, fn ($user) => $this->service->findExports($user, $project, $attempt->key));
        [$found, $isAmbiguous] = $keepsKeys
            ? [$exports[0] ?? null, false]
            : $this->fitting($attempt, array_filter($exports, fn ($one) => $one['project_id'] === $project));
        if ($found) $this->note(fn () => $this->store->moveAttempt($attempt, $attempt->with('settled', $found['id'])));
        return [$found, $keepsKeys, $isWhole && !$isAmbiguous];
    }

    /**
     * @param array<array<string, mixed>> $exports
     * @return array{0: ?array<string, mixed>, 1: bool} the export that only this attempt can have
     *     started; or whether it may be another one's
     */
    private function fitting(Attempt $attempt, array $exports): array
    {
        // Read after the exports, so that no export is without its attempt.
        $since = $attempt->startedAt - self::WINDOW_MS - self::CLOCK_TOLERANCE_MS;
        $others = array_filter($this->store->attemptsSince($attempt->hostUser, $since), fn ($one) => $one->key !== $attempt->key);
        $taken = array_map(fn ($one) => $one->exportId, $others);
        $fitting = array_filter($exports, fn ($one) => !in_array($one['id'], $taken, true) && self::fits($one, $attempt));
        usort($fitting, fn ($a, $b) => self::createdMs($a) <=> self::createdMs($b));
        $rivals = array_filter($others, fn ($other) => $other->exportId === null
            && self::asked($other)[0] === self::asked($attempt)[0]
            && array_filter($fitting, fn ($one) => self::fits($one, $other)));
        if (!$fitting || !$rivals) return [$fitting[0] ?? null, false];
        // If there are as many exports as attempts with the same options, each has started one.
        $unlike = array_filter($rivals, fn ($one) => self::watermarked($one) !== self::watermarked($attempt)
            || $one->startedAt === $attempt->startedAt);
        if ($unlike || count($fitting) <= count($rivals)) return [null, true];
        return [$fitting[count(array_filter($rivals, fn ($one) => $one->startedAt < $attempt->startedAt))], false];
    }

    /** A start that was sent so recently may still be carried out, whatever became of its sender. */
    private static function isFresh(Attempt $attempt): bool
    {
        return Clock::nowMs() - $attempt->startedAt <= self::WINDOW_MS;
    }

    /** @return list<mixed> */
    private static function asked(Attempt $attempt): array
    {
        return array_slice(json_decode($attempt->request, true), 0, 4);
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
        return $sinceStart >= -self::CLOCK_TOLERANCE_MS && $sinceStart <= self::WINDOW_MS + self::CLOCK_TOLERANCE_MS
            && ($sent === null || $export['watermarked'] === null || $export['watermarked'] === $sent);
    }

    /** @param array<string, mixed> $export */
    private static function createdMs(array $export): float
    {
        return (float) (new \DateTimeImmutable((string) $export['created_at'], new \DateTimeZone('UTC')))->format('Uv');
    }

    /** A failing store must not hide the result of a start. A later search settles what stays open. */
    private function note(callable $write): void
    {
        try {
            $write();
        } catch (\Throwable) {
        }
    }
}
