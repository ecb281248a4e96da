<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

use ClipKit\Host\SqlStore;

/** The host's store in WordPress's own database. */
final class WpdbStore extends SqlStore
{
    public function __construct()
    {
        global $wpdb;
        parent::__construct($wpdb->prefix . 'clip_kit_');
    }

    protected function dialect(): string
    {
        return 'mysql';
    }

    protected function rows(string $sql, array $values): array
    {
        global $wpdb;
        return $this->checked(fn () => $wpdb->get_results(self::prepared($sql, $values), ARRAY_A));
    }

    protected function change(string $sql, array $values = []): int
    {
        global $wpdb;
        return (int) $this->checked(fn () => $wpdb->query(self::prepared($sql, $values)));
    }

    /** @param list<string|int|null> $values */
    private static function prepared(string $sql, array $values): string
    {
        global $wpdb;
        if (!$values) return $sql;
        $parts = explode('?', $sql);
        $marked = array_shift($parts);
        foreach ($parts as $at => $part) {
            $marked .= ($values[$at] === null ? 'NULL' : (is_int($values[$at]) ? '%d' : '%s')) . $part;
        }
        $given = array_values(array_filter($values, fn ($value) => $value !== null));
        // phpcs:ignore WordPress.DB.PreparedSQL.NotPrepared -- The statement has a mark for each value.
        return $wpdb->prepare($marked, $given);
    }

    /** WordPress prints errors of the database into the page, and goes on. Here they must stop a start. */
    private function checked(callable $run): mixed
    {
        global $wpdb;
        $shown = $wpdb->suppress_errors();
        $found = $run();
        $wpdb->suppress_errors($shown);
        if ($found === false || $wpdb->last_error !== '') throw new \RuntimeException('The database refused a statement.');
        return $found;
    }
}
