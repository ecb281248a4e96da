<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** Maps the site's users to managed users of the service. Each is created once. */
final class ManagedUsers
{
    /** How long a process may take to create a user before another takes over. */
    private const LEASE_MS = 60_000;
    private const MAX_WAIT_MS = 30_000;

    public function __construct(private readonly Service $service, private readonly Store $store)
    {
    }

    public function idOf(string $hostUser): string
    {
        for ($waitedMs = 0, $pauseMs = 25; $waitedMs < self::MAX_WAIT_MS; $waitedMs += $pauseMs, $pauseMs = min(2 * $pauseMs, 500)) {
            $known = $this->store->managedUser($hostUser);
            if ($known !== null) return $known;
            $since = Clock::nowMs();
            if ($this->store->claimMaking($hostUser, $since, self::LEASE_MS)) return $this->make($hostUser, $since);
            usleep($pauseMs * 1000);
        }
        throw new Problem('service-unavailable', headers: ['Retry-After' => '10'], reason: 'another process is creating this user');
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
            if ($problem->serviceStatus !== 403 || !$this->isGone($managed)) throw $problem;
            $this->store->dropManagedUser($hostUser, $managed);
            return $call($this->idOf($hostUser));
        }
    }

    public function tokenOf(string $hostUser): string
    {
        $managed = $this->idOf($hostUser);
        try {
            return $this->service->createToken($managed);
        } catch (Problem $problem) {
            if ($problem->serviceStatus !== 404) throw $problem;
            $this->store->dropManagedUser($hostUser, $managed);
            return $this->service->createToken($this->idOf($hostUser));
        }
    }

    private function make(string $hostUser, int $since): string
    {
        try {
            return $this->store->keepManagedUser($hostUser, $this->service->createUser());
        } catch (\Throwable $failure) {
            $this->store->releaseMaking($hostUser, $since);
            throw $failure;
        }
    }

    /** A call can be refused for many reasons. The user is gone only if there is no token for it. */
    private function isGone(string $managed): bool
    {
        try {
            $this->service->createToken($managed);
            return false;
        } catch (Problem $problem) {
            return $problem->serviceStatus === 404;
        }
    }
}
