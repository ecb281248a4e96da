<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** The file of an export, as it comes from the service, and its name. */
final class Download
{
    private const MAX_REDIRECTS = 5;
    private const NAME_LENGTH = 80;
    private const PASSED_ON = ['accept-ranges' => 'Accept-Ranges', 'content-length' => 'Content-Length',
        'content-range' => 'Content-Range', 'etag' => 'ETag', 'last-modified' => 'Last-Modified'];

    /**
     * @param array<string, string> $headers
     * @param resource $stream the bytes, not read yet
     */
    private function __construct(public readonly int $status, public readonly array $headers, public readonly mixed $stream)
    {
    }

    /**
     * Null if the file cannot be had there. No redirect is followed from a public name into a network.
     *
     * @param array<string, string> $headers
     */
    public static function open(string $url, array $headers, int $redirects = self::MAX_REDIRECTS): ?self
    {
        $headers += ['Accept-Encoding' => 'identity'];
        for (; $redirects >= 0; $redirects--) {
            if (!preg_match('#^https?://#i', $url)) return null;
            $url = preg_replace_callback('/[^\x21-\x7e]/', fn ($found) => rawurlencode($found[0]), $url);
            $options = ['header' => array_map(fn ($name) => "$name: $headers[$name]", array_keys($headers)),
                'follow_location' => 0, 'ignore_errors' => true, 'timeout' => 30];
            $stream = @fopen($url, 'rb', false, stream_context_create(['http' => $options]));
            if (!$stream) return null;
            $lines = stream_get_meta_data($stream)['wrapper_data'] ?? [];
            $status = preg_match('#^HTTP/\S+ (\d{3})#', $lines[0] ?? '', $found) ? (int) $found[1] : 0;
            $said = [];
            foreach (array_slice($lines, 1) as $line) {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $said[strtolower($name)] = trim($value);
            }
            // PHP does not decode: encoded bytes are no video.
            $isEncoded = strtolower($said['content-encoding'] ?? 'identity') !== 'identity';
            $isText = preg_match('#^(text/|application/([\w.+-]+\+)?json\b)#i', $said['content-type'] ?? '');
            if ($status === 416 || (in_array($status, [200, 206], true) && !$isEncoded && !$isText)) {
                $known = array_intersect_key($said, self::PASSED_ON);
                if ($status === 416) unset($known['content-length']);
                $names = array_map(fn ($name) => self::PASSED_ON[$name], array_keys($known));
                return new self($status, array_combine($names, $known), $stream);
            }
            fclose($stream);
            $target = in_array($status, [301, 302, 303, 307, 308], true) ? self::absolute($url, $said['location'] ?? '') : null;
            if ($target === null || (self::isPublic($url) && !self::isPublic($target))) return null;
            $url = $target;
        }
        return null;
    }

    /** `Content-Disposition` with which every browser saves an MP4 file under this name. */
    public static function attachment(string $name): string
    {
        // What ends a header or a path, what Windows refuses, and what changes the direction of text.
        $unsafe = '/[\p{Cc}\p{Zl}\p{Zp}\x{61c}\x{200e}\x{200f}\x{202a}-\x{202e}\x{2066}-\x{2069}"*\/:<>?\\\\|]/u';
        $cleaned = preg_replace($unsafe, '_', preg_replace('/\.mp4$/iD', '', $name)) ?? '';
        preg_match('/^.{0,' . self::NAME_LENGTH . '}/us', $cleaned, $found);
        $stem = trim($found[0] ?? '', " .");
        if ($stem === '') $stem = 'clip';
        return 'attachment; filename="' . preg_replace('/[^A-Za-z0-9._-]/u', '_', $stem) . ".mp4\"; filename*=UTF-8''"
            . rawurlencode($stem) . '.mp4';
    }

    /** A name of the public internet, and not an IP address or a name inside of a network. */
    private static function isPublic(string $url): bool
    {
        $name = rtrim(strtolower((string) parse_url($url, PHP_URL_HOST)), '.');
        return preg_match('/\.[a-z][a-z0-9-]*$/D', $name) && !preg_match('/\.(localhost|local|internal|lan|home\.arpa)$/D', $name);
    }

    private static function absolute(string $from, string $location): ?string
    {
        if ($location === '' || preg_match('#^[a-z][a-z0-9+.-]*:#i', $location)) return $location ?: null;
        if (str_starts_with($location, '//')) return parse_url($from, PHP_URL_SCHEME) . ":$location";
        preg_match('#^(https?://[^/?\#]+)([^?\#]*/)?#i', $from, $found);
        return $found[1] . ($location[0] === '/' ? '' : ($found[2] ?? '/')) . $location;
    }
}
