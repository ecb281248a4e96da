<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** A store in a SQL database. What runs the statements is up to the class that extends it. */
abstract class SqlStore implements Store
{
    /** One hour longer than promised, for clocks that differ. */
    private const KEPT_MS = 25 * 3_600_000;

    /** Longer than services keep videos. */
    private const TASK_KEPT_MS = 366 * 86_400_000;

    /** Longer ids are stored as their hash, so that two fit into an index. */
    private const MAX_ID_BYTES = 250;

    /** @param string $prefix of the tables: letters, digits and underscores */
    public function __construct(private readonly string $prefix = 'clip_host_')
    {
        if (!preg_match('/^\w{0,40}$/D', $prefix)) throw new \InvalidArgumentException('Not a table prefix.');
    }

    /** @return 'mysql'|'sqlite' */
    abstract protected function dialect(): string;

    /**
     * @param list<string|int|null> $values for each `?`
     * @return list<array<string, mixed>>
     */
    abstract protected function rows(string $sql, array $values): array;

    /**
     * @param list<string|int|null> $values for each `?`
     * @return int how many rows were written or deleted
     */
    abstract protected function change(string $sql, array $values = []): int;

    /** Creates the tables that are not there. */
    public function createTables(): void
    {
        // MySQL's text types ignore case or trailing spaces; binary ones compare exactly.
        $id = $this->dialect() === 'mysql' ? 'VARBINARY(255)' : 'TEXT';
        $text = $this->dialect() === 'mysql' ? 'MEDIUMTEXT' : 'TEXT';
        $after = $this->dialect() === 'mysql' ? 'ENGINE=InnoDB' : '';
        [$user, $making, $attempt, $task] = $this->tables();
        $this->change("CREATE TABLE IF NOT EXISTS $user (host_user $id NOT NULL PRIMARY KEY, managed_user $id NOT NULL) $after");
        $this->change("CREATE TABLE IF NOT EXISTS $making (host_user $id NOT NULL PRIMARY KEY, since BIGINT NOT NULL) $after");
        $inTask = $this->dialect() === 'mysql' ? ', KEY started (started_at)' : '';
        $this->change("CREATE TABLE IF NOT EXISTS $task (host_user $id NOT NULL, id $id NOT NULL, started_at BIGINT NOT NULL,
            task $text NOT NULL, PRIMARY KEY (host_user, id)$inTask) $after");
        if ($inTask === '') $this->change("CREATE INDEX IF NOT EXISTS {$task}_started ON $task (started_at)");
        $indexes = ['started' => 'started_at', 'export' => 'export_id'];
        $inline = '';
        if ($this->dialect() === 'mysql') {
            foreach ($indexes as $name => $column) $inline .= ", KEY $name ($column)";
        }
        $this->change("CREATE TABLE IF NOT EXISTS $attempt (host_user $id NOT NULL, attempt_key $id NOT NULL,
            request $text NOT NULL, started_at BIGINT NOT NULL, state VARCHAR(16) NOT NULL, export_id $id,
            PRIMARY KEY (host_user, attempt_key)$inline) $after");
        if ($inline !== '') return;
        foreach ($indexes as $name => $column) {
            $this->change("CREATE INDEX IF NOT EXISTS {$attempt}_$name ON $attempt ($column)");
        }
    }

    public function dropTables(): void
    {
        foreach ($this->tables() as $table) $this->change("DROP TABLE IF EXISTS $table");
    }

    public function managedUser(string $hostUser): ?string
    {
        [$user] = $this->tables();
        $rows = $this->rows("SELECT managed_user FROM $user WHERE host_user = ?", [self::stored($hostUser)]);
        return isset($rows[0]) ? (string) $rows[0]['managed_user'] : null;
    }

    public function keepManagedUser(string $hostUser, string $managedUser): string
    {
        [$user, $making] = $this->tables();
        $this->insertOnce("$user (host_user, managed_user)", [self::stored($hostUser), $managedUser]);
        $this->change("DELETE FROM $making WHERE host_user = ?", [self::stored($hostUser)]);
        return $this->managedUser($hostUser) ?? $managedUser;
    }

    public function claimMaking(string $hostUser, int $sinceMs, int $leaseMs): bool
    {
        [, $making] = $this->tables();
        $id = self::stored($hostUser);
        $won = $this->insertOnce("$making (host_user, since)", [$id, $sinceMs])
            || $this->change("UPDATE $making SET since = ? WHERE host_user = ? AND (since <= ? OR since >= ?)",
                [$sinceMs, $id, $sinceMs - $leaseMs, $sinceMs + $leaseMs]) === 1;
        if (!$won || $this->managedUser($hostUser) === null) return $won;
        $this->releaseMaking($hostUser, $sinceMs);
        return false;
    }

    public function releaseMaking(string $hostUser, int $sinceMs): void
    {
        [, $making] = $this->tables();
        $this->change("DELETE FROM $making WHERE host_user = ? AND since = ?", [self::stored($hostUser), $sinceMs]);
    }

    public function replaceManagedUser(string $hostUser, string $from, string $to): string
    {
        [$user] = $this->tables();
        $this->change("UPDATE $user SET managed_user = ? WHERE host_user = ? AND managed_user = ?", [$to, self::stored($hostUser), $from]);
        $this->insertOnce("$user (host_user, managed_user)", [self::stored($hostUser), $to]);
        return $this->managedUser($hostUser) ?? $to;
    }

    public function dropManagedUser(string $hostUser, string $managedUser): void
    {
        [$user] = $this->tables();
        $this->change("DELETE FROM $user WHERE host_user = ? AND managed_user = ?", [self::stored($hostUser), $managedUser]);
    }

    public function claimAttempt(Attempt $attempt): ?Attempt
    {
        [, , $table] = $this->tables();
        $this->change("DELETE FROM $table WHERE started_at < ?", [$attempt->startedAt - self::KEPT_MS]);
        $columns = "$table (host_user, attempt_key, request, started_at, state, export_id)";
        $values = [...self::names($attempt), $attempt->request, $attempt->startedAt, $attempt->state, $attempt->exportId];
        do {
            if ($this->insertOnce($columns, $values)) return null;
            // Another process may drop it between the two statements.
        } while (($known = $this->attempt($attempt->hostUser, $attempt->key)) === null);
        return $known;
    }

    public function moveAttempt(Attempt $from, Attempt $to): bool
    {
        [, , $table] = $this->tables();
        $values = [$to->request, $to->startedAt, $to->state, $to->exportId, ...self::names($to), $from->state, $from->startedAt];
        return $this->change("UPDATE $table SET request = ?, started_at = ?, state = ?, export_id = ?
            WHERE host_user = ? AND attempt_key = ? AND state = ? AND started_at = ?", $values) === 1;
    }

    public function dropAttempt(Attempt $attempt): void
    {
        [, , $table] = $this->tables();
        $this->change("DELETE FROM $table WHERE host_user = ? AND attempt_key = ? AND state = ? AND started_at = ?",
            [...self::names($attempt), $attempt->state, $attempt->startedAt]);
    }

    public function attempt(string $hostUser, string $key): ?Attempt
    {
        [, , $table] = $this->tables();
        $rows = $this->rows("SELECT request, started_at, state, export_id FROM $table WHERE host_user = ? AND attempt_key = ?",
            [self::stored($hostUser), self::stored($key)]);
        if (!$rows) return null;
        ['request' => $request, 'started_at' => $startedAt, 'state' => $state, 'export_id' => $export] = $rows[0];
        return new Attempt($hostUser, $key, $request, (int) $startedAt, $state, $export);
    }

    public function attemptsSince(string $hostUser, int $sinceMs): array
    {
        [, , $table] = $this->tables();
        $rows = $this->rows("SELECT attempt_key, request, started_at, state, export_id FROM $table WHERE host_user = ? AND started_at >= ?",
            [self::stored($hostUser), $sinceMs]);
        return array_map(fn ($row) => new Attempt($hostUser, (string) $row['attempt_key'], $row['request'], (int) $row['started_at'],
            $row['state'], $row['export_id']), $rows);
    }

    public function keepTask(string $hostUser, string $id, string $name, int $startedAt): void
    {
        [, , , $table] = $this->tables();
        $this->change("DELETE FROM $table WHERE started_at < ?", [$startedAt - self::TASK_KEPT_MS]);
        $task = json_encode([$id, $name], JSON_THROW_ON_ERROR);
        $this->insertOnce("$table (host_user, id, started_at, task)", [self::stored($hostUser), self::stored($id), $startedAt, $task]);
    }

    public function startedTasks(string $hostUser, int $limit, ?array $after): array
    {
        [, , , $table] = $this->tables();
        [$startedAt, $id] = $after ?? [PHP_INT_MAX, ''];
        $rows = $this->rows("SELECT started_at, task FROM $table WHERE host_user = ?
            AND (started_at < ? OR (started_at = ? AND id < ?)) ORDER BY started_at DESC, id DESC LIMIT $limit",
            [self::stored($hostUser), $startedAt, $startedAt, self::stored($id)]);
        return array_map(function ($row): array {
            [$id, $name] = json_decode($row['task'], true);
            return ['id' => $id, 'name' => $name, 'startedAt' => (int) $row['started_at']];
        }, $rows);
    }

    public function dropTask(string $hostUser, string $id): bool
    {
        [, , , $table] = $this->tables();
        return $this->change("DELETE FROM $table WHERE host_user = ? AND id = ?", [self::stored($hostUser), self::stored($id)]) === 1;
    }

    /** @return array{0: string, 1: string, 2: string, 3: string} */
    private function tables(): array
    {
        return ["{$this->prefix}user", "{$this->prefix}making", "{$this->prefix}attempt", "{$this->prefix}task"];
    }

    /**
     * Whether the row was written; false if its key is known.
     *
     * @param list<string|int|null> $values
     */
    private function insertOnce(string $columns, array $values): bool
    {
        $mysql = $this->dialect() === 'mysql';
        $marks = implode(', ', array_fill(0, count($values), '?'));
        $sql = ($mysql ? 'INSERT IGNORE' : 'INSERT') . " INTO $columns VALUES ($marks)";
        return $this->change($mysql ? $sql : "$sql ON CONFLICT DO NOTHING", $values) === 1;
    }

    /** @return array{0: string, 1: string} */
    private static function names(Attempt $attempt): array
    {
        return [self::stored($attempt->hostUser), self::stored($attempt->key)];
    }

    private static function stored(string $id): string
    {
        $plain = strlen($id) <= self::MAX_ID_BYTES && !str_starts_with($id, '#') && !str_contains($id, "\0");
        return $plain ? $id : '#' . hash('sha256', $id);
    }
}
