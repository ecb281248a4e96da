<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** What a page may send. Everything else is refused with the name of the field. */
final class Checks
{
    public static function isId(string $text): bool
    {
        return !in_array($text, ['', '.', '..'], true) && !str_contains($text, "\0") && preg_match('//u', $text) === 1;
    }

    public static function isAttemptKey(string $text): bool
    {
        return preg_match('/^[A-Za-z0-9._-]{8,128}$/D', $text) === 1;
    }

    /**
     * Ids by name, each a text.
     *
     * @param array<mixed> $values
     * @param list<string> $required
     * @param list<string> $optional
     * @return array<string, string>
     */
    public static function ids(array $values, array $required = [], array $optional = []): array
    {
        self::onlyNames($values, [...$required, ...$optional]);
        foreach ($values as $name => $value) {
            if (!is_string($value) || !self::isId($value)) throw Problem::invalid((string) $name, 'must be an id');
        }
        foreach (array_diff($required, array_keys($values)) as $name) throw Problem::invalid($name, 'is missing');
        return $values;
    }

    /**
     * The body of a start: the clip, and the options that the page asks for.
     *
     * @param array<mixed> $body
     * @return array{0: array<string, string>, 1: array<string, mixed>}
     */
    public static function start(array $body): array
    {
        $clip = self::ids(array_diff_key($body, ['watermark' => 1, 'preset_id' => 1]), ['project_id'], ['folder_id']);
        $asked = array_intersect_key($body, ['watermark' => 1, 'preset_id' => 1]);
        return [$clip, self::options($asked)];
    }

    /**
     * @param array<mixed> $asked
     * @return array<string, mixed>
     */
    public static function options(array $asked): array
    {
        self::onlyNames($asked, ['watermark', 'preset_id']);
        if (count($asked) === 2) throw Problem::invalid('preset_id', 'watermark and preset_id cannot be sent together');
        if (isset($asked['preset_id']) || array_key_exists('preset_id', $asked)) return self::ids($asked, ['preset_id']);
        return array_key_exists('watermark', $asked) ? ['watermark' => self::watermark($asked['watermark'])] : [];
    }

    /** @param array<mixed> $body of a change of an edit; the service checks the changes themselves */
    public static function patch(array $body): void
    {
        self::onlyNames($body, ['changes']);
        if (!($body['changes'] ?? null) instanceof \stdClass) throw Problem::invalid('changes', 'must be an object');
    }

    /**
     * The body of a new clip.
     *
     * @param array<mixed> $body
     * @return array<mixed>
     */
    public static function newClip(array $body): array
    {
        self::onlyNames($body, ['start', 'end', 'name']);
        foreach (['start', 'end'] as $name) {
            if (!is_int($body[$name] ?? null) && !is_float($body[$name] ?? null)) throw Problem::invalid($name, 'must be a number');
        }
        if ($body['start'] >= $body['end']) throw Problem::invalid('end', 'must be greater than start');
        if (array_key_exists('name', $body) && !is_string($body['name'])) throw Problem::invalid('name', 'must be text');
        return $body;
    }

    /**
     * The body of a new upload.
     *
     * @param array<mixed> $body
     * @return array<mixed>
     */
    public static function newUpload(array $body): array
    {
        self::onlyNames($body, ['name', 'size', 'type', 'sha256', 'seconds']);
        $text = fn (string $name, string $form): bool => is_string($body[$name]) && preg_match($form, $body[$name]) === 1;
        if (!isset($body['name']) || !$text('name', '/^.{1,255}$/Dsu')) throw Problem::invalid('name', 'must be 1 to 255 characters');
        if (!is_int($body['size'] ?? null) || $body['size'] < 1) throw Problem::invalid('size', 'must be a whole number of at least 1');
        if (array_key_exists('type', $body) && !$text('type', '/^.{0,255}$/Dsu')) throw Problem::invalid('type', 'must be at most 255 characters');
        if (array_key_exists('sha256', $body) && !$text('sha256', '/^[0-9a-f]{64}$/D')) {
            throw Problem::invalid('sha256', 'must be 64 lower-case hexadecimal digits');
        }
        if (array_key_exists('seconds', $body) && (!(is_int($body['seconds']) || is_float($body['seconds'])) || $body['seconds'] <= 0)) {
            throw Problem::invalid('seconds', 'must be greater than 0');
        }
        return $body;
    }

    /**
     * The body of a new task. The service checks what is in its fields, and fills in the others.
     * `$type`: also `{task_id}/words` and `{task_id}/more`, for a task on the source of another.
     *
     * @param array<mixed> $body
     * @return array<mixed>
     */
    public static function task(string $type, array $body): array
    {
        $isVideo = $type === 'video-to-video';
        $isOfSource = str_contains($type, '/');
        $common = ['source_video_url', 'subtitles_url', 'language', 'translate_to', 'transcription_context', 'name', 'style_preset_id',
            'editing_options', 'dimensions', 'source_range'];
        $counts = ['target_clip_count', 'max_clip_count', 'min_clip_count', 'min_duration', 'max_duration', 'target_duration', 'topics'];
        self::onlyNames($body, match (true) {
            str_ends_with($type, '/words') => ['subtitles_url', 'language'],
            str_ends_with($type, '/more') => ['target_clip_count', 'topics'],
            $isVideo => $common,
            default => [...$common, ...$counts],
        });
        foreach (['source_video_url', 'subtitles_url'] as $name) {
            $isNeeded = ($name === 'source_video_url' && !$isOfSource) || array_key_exists($name, $body);
            if ($isNeeded && !self::isHttpUrl($body[$name] ?? null)) {
                throw Problem::invalid($name, 'must be an absolute http or https URL without a user name or password');
            }
        }
        if ($isVideo && !($body['editing_options'] ?? null) instanceof \stdClass) throw Problem::invalid('editing_options', 'must be an object');
        return $body;
    }

    private static function isHttpUrl(mixed $url): bool
    {
        $parts = is_string($url) && strlen($url) <= 8192 && !preg_match('/[\s\x00-\x20]/', $url) ? parse_url($url) : false;
        return $parts && in_array(strtolower($parts['scheme'] ?? ''), ['http', 'https'], true)
            && ($parts['host'] ?? '') !== '' && !isset($parts['user']) && !isset($parts['pass']);
    }

    /**
     * The query of a list of tasks.
     *
     * @param array<string, string> $query
     * @return array<string, string>
     */
    public static function taskPage(array $query): array
    {
        self::onlyNames($query, ['limit', 'cursor']);
        if (isset($query['limit']) && !preg_match('/^(?:[1-9]\d?|100)$/D', $query['limit'])) throw Problem::invalid('limit', 'must be a whole number from 1 to 100');
        if (isset($query['cursor']) && !preg_match('/^[\w.-]{1,256}$/D', $query['cursor'])) throw Problem::invalid('cursor', 'is not one of a page of this list');
        return $query;
    }

    /** @return array{src_url: string, pos_x: float, pos_y: float, scale: float} */
    private static function watermark(mixed $value): array
    {
        if ($value instanceof \stdClass) $value = (array) $value;
        if (!is_array($value) || array_is_list($value)) {
            throw Problem::invalid('watermark', 'must be an object {src_url, pos_x?, pos_y?, scale?}');
        }
        self::onlyNames($value, ['src_url', 'pos_x', 'pos_y', 'scale'], 'watermark.');
        $url = $value['src_url'] ?? null;
        if (!self::isHttpUrl($url)) {
            throw Problem::invalid('watermark.src_url', 'must be an absolute http or https URL without a user name or password');
        }
        $number = function (string $name, float $fallback, float $most, bool $zero) use ($value): float {
            $found = array_key_exists($name, $value) ? $value[$name] : $fallback;
            if ((!is_int($found) && !is_float($found)) || $found > $most || $found < 0 || ($found == 0 && !$zero)) {
                throw Problem::invalid("watermark.$name", $zero ? "must be 0 to $most" : "must be greater than 0 and at most $most");
            }
            return (float) $found;
        };
        return ['src_url' => $url, 'pos_x' => $number('pos_x', 0.5, 1, true), 'pos_y' => $number('pos_y', 0.5, 1, true),
            'scale' => $number('scale', 1, 100, false)];
    }

    /**
     * @param array<mixed> $values
     * @param list<string> $known
     */
    private static function onlyNames(array $values, array $known, string $inside = ''): void
    {
        foreach (array_keys($values) as $name) {
            if (!in_array((string) $name, $known, true)) throw Problem::invalid($inside . $name, 'unknown field');
        }
    }
}
