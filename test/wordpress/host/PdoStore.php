<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** A store in SQLite, MySQL, MariaDB or Postgres. SQLite's tables are created automatically. */
final class PdoStore extends SqlStore
{
    private readonly string $driver;

    public function __construct(private readonly \PDO $database, string $prefix = 'clip_host_')
    {
        parent::__construct($prefix);
        $database->setAttribute(\PDO::ATTR_ERRMODE, \PDO::ERRMODE_EXCEPTION);
        $this->driver = $database->getAttribute(\PDO::ATTR_DRIVER_NAME);
        if ($this->driver === 'sqlite') $this->createTables();
    }

    protected function dialect(): string
    {
        return $this->driver;
    }

    protected function rows(string $sql, array $values): array
    {
        return $this->run($sql, $values)->fetchAll(\PDO::FETCH_ASSOC);
    }

    protected function change(string $sql, array $values = []): int
    {
        return $this->run($sql, $values)->rowCount();
    }

    /** @param list<string|int|null> $values */
    private function run(string $sql, array $values): \PDOStatement
    {
        $statement = $this->database->prepare($sql);
        foreach ($values as $at => $value) {
            $type = is_int($value) ? \PDO::PARAM_INT : ($value === null ? \PDO::PARAM_NULL : \PDO::PARAM_STR);
            $statement->bindValue($at + 1, $value, $type);
        }
        $statement->execute();
        return $statement;
    }
}
