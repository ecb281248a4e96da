<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** Maps the site's users to managed users of the service. Each is created once. */
final class ManagedUsers
{
    /** How long a process may take to create a user before another takes over. */
    private const LEASE_MS = 60_000;
    private const MAX_WAIT_MS = 30_000;
    /** The pause before the service is asked again whether a user is gone. */
    private const SECOND_LOOK_MS = 1_000;

    /** @param callable(string): void $log */
    public function __construct(
        private readonly Service $service,
        private readonly TokenCall $tokens,
        private readonly Store $store,
        private $log,
    ) {
    }

    public function idOf(string $hostUser): string
    {
        return $this->make(
            $hostUser,
            fn (): ?string => $this->store->managedUser($hostUser),
            fn (string $made): string => $this->store->keepManagedUser($hostUser, $made),
        );
    }

    /**
     * Runs a call for the managed user. If the service no longer knows the user, creates a new one
     * and repeats the call once.
     *
     * @template T
     * @param callable(string): T $call
     * @return T
     */
    public function with(string $hostUser, callable $call): mixed
    {
        $managed = $this->idOf($hostUser);
        try {
            return $call($managed);
        } catch (Problem $problem) {
            // A refusal has many reasons: the user is gone only if there is no token for it.
            if ($problem->serviceStatus !== 403 || !$this->isGone($managed)) throw $problem;
            return $call($this->replace($hostUser, $managed));
        }
    }

    public function tokenOf(string $hostUser): string
    {
        $managed = $this->idOf($hostUser);
        try {
            return $this->tokens->create($managed);
        } catch (Problem $problem) {
            if (!self::saysNotFound($problem) || !$this->isGone($managed)) throw $problem;
            return $this->tokens->create($this->replace($hostUser, $managed));
        }
    }

    /**
     * Whether the service says twice, in its own words, that there is no such user. The bare 404 of
     * a proxy says nothing, and a new user would have none of the old one's clips.
     */
    private function isGone(string $managed): bool
    {
        for ($look = 0; $look < 2; $look++) {
            if ($look) usleep(self::SECOND_LOOK_MS * 1000);
            try {
                $this->tokens->create($managed);
                return false;
            } catch (Problem $problem) {
                if (!self::saysNotFound($problem)) return false;
            }
        }
        return true;
    }

    private function replace(string $hostUser, string $gone): string
    {
        // A name of its own in the store, because the user's own name cannot be claimed.
        return $this->make(
            "$hostUser instead of $gone",
            fn (): ?string => ($stored = $this->store->managedUser($hostUser)) === $gone ? null : $stored,
            function (string $made) use ($hostUser, $gone): string {
                $stored = $this->store->replaceManagedUser($hostUser, $gone, $made);
                if ($stored === $made) ($this->log)("the service says that it has no user $gone; $made was created instead, without its clips");
                return $stored;
            },
        );
    }

    /**
     * @param callable(): ?string $look
     * @param callable(string): string $keep
     */
    private function make(string $claim, callable $look, callable $keep): string
    {
        for ($waitedMs = 0, $pauseMs = 25; $waitedMs < self::MAX_WAIT_MS; $waitedMs += $pauseMs, $pauseMs = min(2 * $pauseMs, 500)) {
            $known = $look();
            if ($known !== null) return $known;
            $since = Clock::nowMs();
            if ($this->store->claimMaking($claim, $since, self::LEASE_MS)) {
                try {
                    return $look() ?? $keep($this->service->createUser());
                } finally {
                    $this->store->releaseMaking($claim, $since);
                }
            }
            usleep($pauseMs * 1000);
        }
        throw new Problem('service-unavailable', headers: ['Retry-After' => '10'], reason: 'another process is creating this user');
    }

    private static function saysNotFound(Problem $problem): bool
    {
        return $problem->serviceStatus === 404 && $problem->serviceSpoke;
    }
}
