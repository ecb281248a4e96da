<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** The tasks of users: the service's list, or the host's own where the service has none. */
final class TaskList
{
    private const DEFAULT_LIMIT = 20;

    public function __construct(
        private readonly Service $service,
        private readonly ManagedUsers $users,
        private readonly Store $store,
    ) {
    }

    /**
     * @param array<string, string> $page `limit` and `cursor`
     * @return array{0: list<array<string, mixed>>, 1: ?string} the tasks, and the cursor of the next page
     */
    public function read(string $hostUser, array $page): array
    {
        try {
            return $this->users->with($hostUser, fn ($managed) => $this->service->tasks($managed, $page));
        } catch (Problem $problem) {
            if ($problem->problemCode !== 'not-supported') throw $problem;
        }
        $limit = (int) ($page['limit'] ?? self::DEFAULT_LIMIT);
        $found = $this->store->startedTasks($hostUser, $limit + 1, isset($page['cursor']) ? self::placeOf($page['cursor']) : null);
        $shown = array_slice($found, 0, $limit);
        $tasks = array_map(fn ($one) => $this->task($hostUser, $one), $shown);
        $last = end($shown);
        $next = count($found) > $limit ? "{$last['startedAt']}." . bin2hex($last['id']) : null;
        return [array_values(array_filter($tasks)), $next];
    }

    /**
     * Remembers a task that was started. Never fails: it is paid for, whatever becomes of the list.
     *
     * @param array<string, mixed> $task
     */
    public function keep(string $hostUser, array $task, string $name): void
    {
        try {
            $this->store->keepTask($hostUser, $task['id'], $name, Clock::nowMs());
        } catch (\Throwable) {
        }
    }

    /** Deletes a task. Where the service cannot, it only leaves the list. */
    public function remove(string $hostUser, string $id): void
    {
        $isDeleted = true;
        try {
            $this->users->with($hostUser, fn ($managed) => $this->service->deleteTask($managed, $id));
        } catch (Problem $problem) {
            if (!in_array($problem->problemCode, ['not-found', 'not-supported'], true)) throw $problem;
            $isDeleted = false;
        }
        if ($isDeleted) {
            $this->forget($hostUser, $id);
            return;
        }
        // Asked before the list forgets it: a failure changes nothing.
        $isLeft = $this->exists($hostUser, $id);
        if ($this->store->dropTask($hostUser, $id)) return;
        throw new Problem($isLeft ? 'not-supported' : 'not-found');
    }

    /** Never fails: the task is gone, whatever becomes of the list. */
    private function forget(string $hostUser, string $id): void
    {
        try {
            $this->store->dropTask($hostUser, $id);
        } catch (\Throwable) {
        }
    }

    private function exists(string $hostUser, string $id): bool
    {
        try {
            $this->users->with($hostUser, fn ($managed) => $this->service->task($managed, $id));
            return true;
        } catch (Problem $problem) {
            return $problem->problemCode === 'not-found' ? false : throw $problem;
        }
    }

    /**
     * Null if the service does not have it any more.
     *
     * @param array{id: string, name: string, startedAt: int} $started
     * @return ?array<string, mixed>
     */
    private function task(string $hostUser, array $started): ?array
    {
        try {
            $task = $this->users->with($hostUser, fn ($managed) => $this->service->task($managed, $started['id']));
            return $task + ['name' => $started['name']];
        } catch (Problem $problem) {
            if ($problem->problemCode !== 'not-found') throw $problem;
            // The bare 404 of a proxy says nothing of the task.
            if ($problem->serviceSpoke) $this->store->dropTask($hostUser, $started['id']);
            return null;
        }
    }

    /** @return array{0: int, 1: string} */
    private static function placeOf(string $cursor): array
    {
        if (!preg_match('/^(\d{1,16})\.((?:[\da-f]{2})+)$/D', $cursor, $found)) {
            throw Problem::invalid('cursor', 'is not one of a page of this list');
        }
        return [(int) $found[1], (string) hex2bin($found[2])];
    }
}
