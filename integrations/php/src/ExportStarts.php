<?php
declare(strict_types=1);
namespace ClipKit\Host;

/**
 * Starts paid exports, once for each attempt key. A start with an unknown outcome is never repeated
 * before the clip's exports have been searched for it.
 */
final class ExportStarts
{
    /** An attempt that is open for longer has lost its process. Longer than any start takes. */
    private const MAX_START_MS = 120_000;
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
            $mark ? array_values($mark) : null], JSON_THROW_ON_ERROR);
        for ($until = Clock::nowMs() + self::MAX_WAIT_MS;; usleep(50_000)) {
            $attempt = new Attempt($hostUser, $key, $request, Clock::nowMs());
            $known = $this->store->claimAttempt($attempt);
            if (!$known) return [$this->send($attempt, $clip, $options, true), false];
            if ($known->request !== $request) throw new Problem('attempt-mismatch');
            if (!$this->mayBeInFlight($known) || Clock::nowMs() > $until) break;
        }
        $found = $this->settle($known);
        if ($found) return [$found, true];
        if ($this->mayBeInFlight($known) || !$this->store->moveAttempt($known, $attempt)) {
            throw new Problem('service-timeout', unknownOutcome: true, reason: 'another request is starting this export');
        }
        return [$this->send($attempt, $clip, $options, false), false];
    }

    /** @return array{0: ?array<string, mixed>, 1: bool} the export, and whether its start may be running */
    public function find(string $hostUser, string $key): array
    {
        $attempt = $this->store->attempt($hostUser, $key);
        if (!$attempt) return [null, false];
        $found = $this->settle($attempt);
        return [$found, !$found && $this->mayBeInFlight($attempt)];
    }

    private function mayBeInFlight(Attempt $attempt): bool
    {
        return $attempt->state === 'open' && Clock::nowMs() - $attempt->startedAt <= self::MAX_START_MS;
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
        try {
            if ($new && $this->store->attemptsSince($attempt->hostUser, $attempt->startedAt - 60_000) > $this->startsPerMinute) {
                throw new Problem('rate-limited', headers: ['Retry-After' => '60']);
            }
            $started = $this->users->with($attempt->hostUser, function (string $user) use (&$managed, $attempt, $clip, $options): array {
                $managed = $user;
                return $this->service->startExport($user, $clip, $options, $attempt->key);
            });
        } catch (Problem $problem) {
            $this->note(fn () => $problem->unknownOutcome
                ? $this->store->moveAttempt($attempt, $attempt->with('unknown'))
                : $this->store->dropAttempt($attempt->hostUser, $attempt->key));
            throw $problem;
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
     * The export of an attempt: the stored one, otherwise the clip's oldest since then without an
     * attempt. A later one may belong to an attempt that is still open.
     *
     * @return ?array<string, mixed>
     */
    private function settle(Attempt $attempt): ?array
    {
        [$project, $folder] = json_decode($attempt->request, true);
        $clip = ['project_id' => $project] + ($folder === null ? [] : ['folder_id' => $folder]);
        if ($attempt->exportId !== null) {
            return $this->users->with($attempt->hostUser, fn ($user) => $this->service->export($user, $clip, $attempt->exportId));
        }
        $exports = $this->users->with($attempt->hostUser, fn ($user) => $this->service->exports($user, ['project_id' => $project]));
        $since = $attempt->startedAt - self::CLOCK_TOLERANCE_MS;
        $createdMs = fn (array $one): float => (float) (new \DateTimeImmutable((string) $one['created_at'], new \DateTimeZone('UTC')))->format('Uv');
        $recent = array_filter($exports, fn ($one) => $createdMs($one) >= $since);
        usort($recent, fn ($a, $b) => $createdMs($a) <=> $createdMs($b));
        $taken = $this->store->attributed(array_column($recent, 'id'));
        foreach ($recent as $one) {
            if (in_array($one['id'], $taken, true)) continue;
            $this->note(fn () => $this->store->moveAttempt($attempt, $attempt->with('settled', $one['id'])));
            return $one;
        }
        return null;
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
