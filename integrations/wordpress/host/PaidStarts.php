<?php
declare(strict_types=1);
namespace ClipKit\Host;

/**
 * Starts what is paid for, once for each attempt key. A start with an unknown outcome is never
 * repeated before the service was asked for it: docs/decisions/0020 of clip-kit has the table of
 * states.
 */
final class PaidStarts
{
    /** How long a start may be carried out after it was sent. */
    public const WINDOW_MS = 120_000;
    /** How long "nothing was started" may be believed: hosts and services forget a key after a day. */
    private const PROMISE_MS = 23 * 3_600_000;
    /** How long a second request waits for the first one with its key. */
    private const MAX_WAIT_MS = 5_000;

    public function __construct(
        private readonly ManagedUsers $users,
        private readonly Store $store,
        private readonly int $startsPerMinute,
    ) {
    }

    /** @return array{0: array<string, mixed>, 1: bool} what was started, and whether it is an earlier one */
    public function start(string $hostUser, string $key, PaidCall $call): array
    {
        for ($until = Clock::nowMs() + self::MAX_WAIT_MS;; usleep(50_000)) {
            $attempt = new Attempt($hostUser, $key, $call->request(), Clock::nowMs());
            $known = $this->store->claimAttempt($attempt);
            if (!$known) return [$this->send($attempt, $call, true), false];
            if (!$call->isSame($known->request)) throw new Problem('attempt-mismatch');
            if ($known->state !== 'open' || !self::isFresh($known) || Clock::nowMs() > $until) break;
        }
        [$found, $keepsKeys, $isCertain] = $this->settle($known, $call);
        if ($found) return [$found, true];
        // A service that keeps keys starts nothing twice: no need to wait for what is in flight.
        $mayRepeat = $keepsKeys || ($isCertain && !self::isFresh($known));
        if (!$mayRepeat || !$this->store->moveAttempt($known, $attempt)) {
            throw new Problem('service-timeout', unknownOutcome: true, reason: 'the outcome of this start is not known yet');
        }
        return [$this->send($attempt, $call, false), false];
    }

    /**
     * @param callable(string): PaidCall $callOf the call of a stored request
     * @return array{0: ?array<string, mixed>, 1: bool, 2: bool} what was started; whether it may still
     *     be carried out; and whether it is certain: without a result, a later start with the key is
     *     carried out at most once
     */
    public function find(string $hostUser, string $key, callable $callOf): array
    {
        $attempt = $this->store->attempt($hostUser, $key);
        if (!$attempt) return [null, false, true];
        [$found, $keepsKeys] = $this->settle($attempt, $callOf($attempt->request));
        $inFlight = !$found && self::isFresh($attempt) && (!$keepsKeys || $attempt->state === 'open');
        return [$found, $inFlight, $keepsKeys || $found];
    }

    /**
     * @param bool $new a refusal for its rate must not tell the page that a resumed attempt was never started
     * @return array<string, mixed>
     */
    private function send(Attempt $attempt, PaidCall $call, bool $new): array
    {
        $managed = '';
        $refusal = null;
        try {
            if ($new && count($this->store->attemptsSince($attempt->hostUser, $attempt->startedAt - 60_000)) > $this->startsPerMinute) {
                throw new Problem('rate-limited', headers: ['Retry-After' => '60']);
            }
            $started = $this->users->with($attempt->hostUser, function (string $user) use (&$managed, &$refusal, $attempt, $call): array {
                $managed = $user;
                try {
                    return $call->send($user, $attempt->key);
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
        return $call->complete($managed, $started, $attempt);
    }

    /**
     * @return array{0: ?array<string, mixed>, 1: bool, 2: bool} what an attempt has started; whether
     *     the service keeps keys; and, without a result, whether it has shown everything that the
     *     attempt can have started
     */
    private function settle(Attempt $attempt, PaidCall $call): array
    {
        if ($attempt->exportId !== null) {
            return [$this->users->with($attempt->hostUser, fn ($user) => $call->read($user, $attempt->exportId)), true, true];
        }
        $key = Clock::nowMs() - $attempt->startedAt < self::PROMISE_MS ? $attempt->key : null;
        [$found, $keepsKeys, $isCertain] = $this->users->with($attempt->hostUser, fn ($user) => $call->search($user, $attempt, $key));
        if ($found) $this->note(fn () => $this->store->moveAttempt($attempt, $attempt->with('settled', $found['id'])));
        return [$found, $keepsKeys, $isCertain];
    }

    /** A start that was sent so recently may still be carried out, whatever became of its sender. */
    private static function isFresh(Attempt $attempt): bool
    {
        return Clock::nowMs() - $attempt->startedAt <= self::WINDOW_MS;
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
