<?php
declare(strict_types=1);
namespace ClipKit\Host;

/**
 * What the host remembers. Each method is one atomic step for all processes, and ids are compared
 * exactly: see docs/host-stores.md of clip-kit.
 */
interface Store
{
    public function managedUser(string $hostUser): ?string;

    /** Stores it unless there is one, ends the claim, and returns the one that is stored. */
    public function keepManagedUser(string $hostUser, string $managedUser): string;

    /**
     * False if a managed user is stored, or another claim is less than `$leaseMs` before or after
     * `$sinceMs`; otherwise stores the claim and returns true.
     */
    public function claimMaking(string $hostUser, int $sinceMs, int $leaseMs): bool;

    public function releaseMaking(string $hostUser, int $sinceMs): void;

    /** Replaces it if it is still `$from`. Returns the one that is stored then. */
    public function replaceManagedUser(string $hostUser, string $from, string $to): string;

    /** Drops it if it is still this one. For users of the site who are deleted. */
    public function dropManagedUser(string $hostUser, string $managedUser): void;

    /** Writes it unless user and key are known. Returns the known one, or null. */
    public function claimAttempt(Attempt $attempt): ?Attempt;

    /** Replaces it if state and time are those of `$from`. Returns whether it did. */
    public function moveAttempt(Attempt $from, Attempt $to): bool;

    /** Drops it if state and time are still the same. */
    public function dropAttempt(Attempt $attempt): void;

    public function attempt(string $hostUser, string $key): ?Attempt;

    /**
     * The attempts of the user that were started then or later.
     *
     * @return list<Attempt>
     */
    public function attemptsSince(string $hostUser, int $sinceMs): array;

    /** Remembers a task that was started for a year, unless it is known. */
    public function keepTask(string $hostUser, string $id, string $name, int $startedAt): void;

    /**
     * The user's tasks, newest first, after the one with this start and id (null: from the first).
     *
     * @param ?array{0: int, 1: string} $after
     * @return list<array{id: string, name: string, startedAt: int}>
     */
    public function startedTasks(string $hostUser, int $limit, ?array $after): array;

    /** Forgets the task. Returns whether it was known. */
    public function dropTask(string $hostUser, string $id): bool;
}
