<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** The elements as HTML. */
final class Markup
{
    /** What blocks have beside the attributes of their element, in the spelling of attributes. */
    private const OF_BLOCK = ['id', 'title', 'clips', 'columns', 'height', 'max-width', 'class-name', 'classname', 'align', 'anchor', 'style', 'lock', 'metadata'];
    /** Elements that show one clip, and need its id. */
    private const OF_CLIP = ['clip-preview', 'clip-embed', 'clip-export-button'];

    /** @param array<int|string, mixed> $given from a block or a shortcode */
    public static function preview(array $given): string
    {
        [$id, $attributes, $hint] = self::read('clip-preview', $given);
        if ($hint !== null) return $hint;
        $title = trim((string) ($given['title'] ?? ''));
        $attributes = ['project' => $id] + $attributes + ['loading' => 'click'] + ($title === '' ? [] : ['label' => $title]) + self::inEditor($id);
        return self::element('clip-preview', $attributes, self::link($id, $title, $attributes['poster'] ?? ''), self::widthOf($given));
    }

    /** @param array<int|string, mixed> $given */
    public static function embed(array $given): string
    {
        [$id, $attributes, $hint] = self::read('clip-embed', $given);
        if ($hint !== null) return $hint;
        if (self::isEditor()) return self::card(__('Clip editor', 'clip-kit'), __('Logged-in users edit the clip here.', 'clip-kit'));
        return self::forOthers('clip-embed') ?? self::element('clip-embed', ['project' => $id] + $attributes, '', self::widthOf($given));
    }

    /** @param array<int|string, mixed> $given */
    public static function export(array $given): string
    {
        $label = trim((string) ($given['label'] ?? ''));
        unset($given['label']);
        [$id, $attributes, $hint] = self::read('clip-export-button', $given);
        if ($hint !== null) return $hint;
        if (self::isEditor()) {
            return sprintf('<p><span class="clip-kit-button">%s</span></p>', esc_html($label !== '' ? $label : __('Export', 'clip-kit')));
        }
        return self::forOthers('clip-export-button') ?? self::element('clip-export-button', ['project' => $id] + $attributes, esc_html($label));
    }

    /**
     * Clips to swipe through, which are links with pictures until the script has run.
     *
     * @param array<int|string, mixed> $given `clips`: a clip in each line, or between `|`, with its title after its id
     */
    public static function feed(array $given): string
    {
        [, $attributes, $hint] = self::read('clip-feed', $given);
        $clips = self::clips($given);
        if ($hint !== null || $clips === []) return $hint ?? self::hint(true, null);
        $inside = '';
        foreach ($clips as [$id, $title]) {
            $loading = $inside === '' ? 'fetchpriority="high"' : 'loading="lazy"';
            $inside .= sprintf('<clip-preview project="%s" label="%s">%s</clip-preview>', esc_attr($id), esc_attr($title), self::link($id, $title, '', $loading));
        }
        $pixels = (int) ($given['height'] ?? 0);
        return self::element('clip-feed', $attributes + self::inEditor(''), $inside, $pixels > 0 ? "block-size:{$pixels}px" : '');
    }

    /**
     * Clips side by side, each in a player with its title below.
     *
     * @param array<int|string, mixed> $given `clips` as for a feed, and `columns`
     */
    public static function gallery(array $given): string
    {
        $columns = max(1, min(6, (int) ($given['columns'] ?? 3)));
        [, $attributes, $hint] = self::read('clip-preview', ['id' => self::clips($given)[0][0] ?? ''] + $given);
        if ($hint !== null) return $hint;
        $items = '';
        foreach (self::clips($given) as [$id, $title]) {
            $own = ['project' => $id] + $attributes + ['loading' => 'click'] + ($title === '' ? [] : ['label' => $title]) + self::inEditor($id);
            $name = $title === '' ? '' : sprintf('<span dir="auto">%s</span>', esc_html($title));
            $items .= sprintf('<li>%s%s</li>', self::element('clip-preview', $own, self::link($id, $title)), $name);
        }
        return sprintf('<ul class="clip-kit-gallery" role="list" style="--clip-kit-columns:%d">%s</ul>', $columns, $items);
    }

    /**
     * Where members make clips: from a new video, of their videos, and the clips of the chosen one.
     *
     * @param array<int|string, mixed> $given attributes of `<clip-create>`
     */
    public static function studio(array $given): string
    {
        // In JavaScript, an object with a number as its `length` is taken for a list.
        $given += ['length' => $given['clipLength'] ?? null];
        unset($given['clipLength']);
        [, $attributes, $hint] = self::read('clip-create', $given);
        if ($hint !== null) return $hint;
        if (self::isEditor()) return self::card(__('Clip studio', 'clip-kit'), __('Users who may make clips upload videos here, and find their clips.', 'clip-kit'));
        $instead = self::forOthers('clip-create');
        if ($instead !== null) return $instead;
        [$videos, $clips] = [wp_unique_id('clip-videos-'), wp_unique_id('clip-list-')];
        return '<div class="clip-kit-studio">'
            . self::element('clip-create', ['for' => $videos] + $attributes, '')
            . self::element('clip-videos', ['id' => $videos, 'for' => $clips], '')
            . self::element('clip-list', ['id' => $clips], '')
            . '</div>';
    }

    /**
     * What is shown instead of an element that is written in a text; null if it may stay.
     *
     * @param array<string, string> $given
     */
    public static function insteadOf(string $tag, array $given): ?string
    {
        [, , $hint] = self::read($tag, $given);
        // Only the clips of a folder are those of a user.
        $isPublic = $tag === 'clip-feed' && ($given['id'] ?? '') === '' && ($given['folder'] ?? '') === '';
        return $hint ?? ($isPublic ? null : self::forOthers($tag));
    }

    /** What a visitor sees, and a user who may not export or make clips; null for everyone else. */
    private static function forOthers(string $tag): ?string
    {
        if ($tag === 'clip-preview') return null;
        if (!is_user_logged_in()) {
            // The list of its clips says it.
            if ($tag === 'clip-export-many') return '';
            return self::logIn(match ($tag) {
                'clip-embed' => __('Log in to edit this clip', 'clip-kit'),
                'clip-export-button' => __('Log in to export this clip', 'clip-kit'),
                'clip-create' => __('Log in to make clips', 'clip-kit'),
                'clip-videos' => __('Log in to see your videos', 'clip-kit'),
                'clip-list', 'clip-feed' => __('Log in to see your clips', 'clip-kit'),
            });
        }
        return $tag === 'clip-embed' || current_user_can(Settings::exportCapability()) ? null : '';
    }

    /**
     * The id, the attributes of the element, and what is shown instead of it if it cannot be drawn.
     *
     * @param array<int|string, mixed> $given
     * @return array{0: string, 1: array<string, string>, 2: ?string}
     */
    private static function read(string $tag, array $given): array
    {
        $id = self::idOf((string) ($given['id'] ?? ''));
        [$attributes, $unknown] = self::attributes($tag, $given);
        $isReady = in_array($tag, ['clip-preview', 'clip-feed'], true) ? Settings::playerUrl() !== '' : Settings::hasHost();
        $needsId = $id === '' && in_array($tag, self::OF_CLIP, true);
        return [$id, $attributes, $needsId || $unknown !== null || !$isReady ? self::hint($needsId, $unknown) : null];
    }

    /**
     * The attributes of the element, and the name of an option that it does not have: it may be a
     * misspelt watermark, and an export without it would cost money.
     *
     * @param array<int|string, mixed> $given
     * @return array{0: array<string, string>, 1: ?string}
     */
    private static function attributes(string $tag, array $given): array
    {
        $found = [];
        foreach ($given as $name => $value) {
            // In a shortcode, a word of its own is a flag.
            if (is_int($name)) [$name, $value] = [(string) $value, true];
            $attribute = strtolower(str_replace('_', '-', preg_replace('/(?<=[a-z])(?=[A-Z])/', '-', $name)));
            if (in_array($attribute, self::OF_BLOCK, true)) continue;
            if ($attribute === 'project' || !in_array($attribute, ElementAttributes::OF[$tag], true)) return [[], $name];
            // Empty `options` offer nothing; without them all are offered.
            if ($value === false || $value === null || ($value === '' && $attribute !== 'options')) continue;
            $text = $value === true ? 'true' : (string) $value;
            if ($attribute !== 'poster') $found[$attribute] = $text;
            elseif (esc_url($text) !== '') $found[$attribute] = esc_url($text);
        }
        return [$found, null];
    }

    /**
     * The ids and titles of several clips; none if one of them has no id.
     *
     * @param array<int|string, mixed> $given
     * @return list<array{0: string, 1: string}>
     */
    private static function clips(array $given): array
    {
        $clips = [];
        foreach (array_filter(array_map('trim', preg_split('/[\n|]/', (string) ($given['clips'] ?? '')))) as $text) {
            [$id, $title] = preg_split('/\s+/', $text, 2) + [1 => ''];
            $clips[] = [self::idOf($id), $title];
        }
        return in_array('', array_column($clips, 0), true) ? [] : $clips;
    }

    /** What stands in a preview until the script has run: a link with the picture of the clip, if its address is known. */
    private static function link(string $id, string $title, string $poster = '', string $loading = 'loading="lazy"'): string
    {
        $poster = $poster !== '' ? $poster : self::poster($id);
        $name = $title !== '' ? $title : __('Watch the clip', 'clip-kit');
        $inside = $poster === '' ? esc_html($name) : sprintf('<img src="%s" alt="%s" %s>', esc_url($poster), esc_attr($name), $loading);
        return sprintf('<a href="%s">%s</a>', esc_url(self::playerAddress($id)), $inside);
    }

    private static function poster(string $id): string
    {
        return str_replace(['{project}', '{id}'], rawurlencode($id), Settings::posterUrl());
    }

    /** The id in the address of a player, or the text itself. */
    public static function idOf(string $text): string
    {
        $text = trim($text);
        $found = preg_match('#^' . self::playerPattern() . '#i', $text, $match) ? rawurldecode($match[1]) : $text;
        return preg_match('#^[^\s/?\#]{1,200}$#D', $found) && !in_array($found, ['.', '..'], true) ? $found : '';
    }

    /** A regular expression for the addresses of players, with the id as its first group. */
    public static function playerPattern(): string
    {
        return str_replace('ID', '([^/?\#\s]+)', preg_quote(self::playerTemplate('ID'), '#'));
    }

    public static function playerAddress(string $id): string
    {
        return self::playerTemplate(rawurlencode($id));
    }

    private static function playerTemplate(string $id): string
    {
        $base = Settings::playerUrl();
        return str_contains($base, '{id}') ? str_replace('{id}', $id, $base) : "$base/player/$id";
    }

    /** @param array<string, string> $attributes */
    private static function element(string $tag, array $attributes, string $inside, string $style = ''): string
    {
        Assets::need($tag);
        $text = '';
        foreach ($attributes as $name => $value) $text .= sprintf(' %s="%s"', $name, esc_attr($value));
        if ($style !== '') $text .= sprintf(' style="%s"', esc_attr($style));
        return "<$tag$text>$inside</$tag>";
    }

    /** @param array<string, mixed> $given */
    private static function widthOf(array $given): string
    {
        $pixels = (int) ($given['maxWidth'] ?? $given['max_width'] ?? 0);
        return $pixels > 0 ? "max-width:{$pixels}px" : '';
    }

    private static function logIn(string $text): string
    {
        return sprintf('<p class="clip-kit-log-in"><a href="%s">%s</a></p>', esc_url(wp_login_url((string) get_permalink())), esc_html($text));
    }

    /** What is missing, only for those who can change it. */
    private static function hint(bool $needsId, ?string $unknown): string
    {
        if (!current_user_can('edit_posts')) return '';
        $text = match (true) {
            // translators: %s: what was written
            $unknown !== null => sprintf(__('There is no option “%s” here.', 'clip-kit'), $unknown),
            $needsId => __('Enter the id of a clip, or the address of its player.', 'clip-kit'),
            default => __('No clip host is set up. An administrator can do that in Settings, Clips.', 'clip-kit'),
        };
        return self::card(__('Clip', 'clip-kit'), $text);
    }

    private static function card(string $title, string $text): string
    {
        wp_enqueue_style('clip-kit');
        return sprintf('<div class="clip-kit-card"><strong>%s</strong><span>%s</span></div>', esc_html($title), esc_html($text));
    }

    /** Whether this is the preview of a block in the editor, which has no meta element of ours. */
    private static function isEditor(): bool
    {
        return defined('REST_REQUEST') && REST_REQUEST && ($_GET['context'] ?? '') === 'edit'; // phpcs:ignore WordPress.Security.NonceVerification -- Nothing is changed.
    }

    /** @return array<string, string> */
    private static function inEditor(string $id): array
    {
        if (!self::isEditor()) return [];
        $poster = self::poster($id);
        return ['player-url' => Settings::playerUrl(), 'handshake' => 'clip-ready'] + ($poster === '' ? [] : ['poster' => $poster]);
    }
}
