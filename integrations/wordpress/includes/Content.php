<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** Elements in the text of posts: tags of trusted people, marked links and blocks, and addresses. */
final class Content
{
    private const TAGS = 'clip-(?:preview|embed|export-button|create|videos|list|feed)';
    private const TAG = '/<(' . self::TAGS . ')\b' . self::ATTRIBUTES . '>(?:.*?<\/\1\s*>)?/is';
    private const OPENING_TAG = '/<([a-z][a-z0-9]*)\b' . self::ATTRIBUTES . '>/i';
    private const ATTRIBUTES = '((?:[^>"\']++|"[^"]*+"|\'[^\']*+\')*+)';
    private const MARK = '/(?<=\s)data-(' . self::TAGS . ')(?=[\s=\/]|$)/i';
    /** What every element may have. */
    private const OF_ALL = ['id', 'class', 'style', 'slot', 'lang', 'dir', 'title', 'hidden', 'role', 'part', 'tabindex'];
    /** Put before the name of an option that WordPress would silently remove. */
    private const UNKNOWN = 'data-unknown-';

    public static function register(): void
    {
        add_filter('wp_kses_allowed_html', [self::class, 'allow'], 10, 2);
        add_filter('pre_kses', [self::class, 'keepUnknown']);
        add_filter('render_block_data', [self::class, 'check'], 10, 3);
        add_filter('the_content', [self::class, 'needScript'], 20);
        add_action('init', [self::class, 'addAddresses']);
    }

    /**
     * Lets editors write the tags. Authors have blocks, shortcodes and `<div data-clip-preview="ID">`.
     *
     * @param array<string, array<string, bool>> $tags
     * @param string|array<mixed> $context
     * @return array<string, array<string, bool>>
     */
    public static function allow(array $tags, string|array $context): array
    {
        if ($context !== 'post' || !current_user_can('edit_others_posts')) return $tags;
        foreach (ElementAttributes::OF as $tag => $names) {
            $tags[$tag] = array_fill_keys([...$names, ...self::OF_ALL, 'data-*'], true);
        }
        return $tags;
    }

    /**
     * Keeps the unknown options of a tag, so that {@see check} finds them: one may be a misspelt
     * watermark.
     */
    public static function keepUnknown(string $text): string
    {
        return self::replaced(self::TAG, $text, function (array $found): string {
            [$whole, $tag, $attributes] = $found;
            $kept = $attributes;
            foreach (array_keys(self::optionsOf($tag, $attributes)) as $name) {
                if ($name === 'project' || in_array($name, ElementAttributes::OF[strtolower($tag)], true)) continue;
                $kept = preg_replace('/(?<=\s)' . preg_quote($name, '/') . '(?=[\s=\/]|$)/i', self::UNKNOWN . $name, $kept);
            }
            return substr_replace($whole, $kept, 1 + strlen($tag), strlen($attributes));
        });
    }

    /**
     * Replaces what a text may not have, or what this visitor cannot use, before its block is drawn.
     *
     * @param array<string, mixed> $block
     * @param array<string, mixed> $source
     * @return array<string, mixed>
     */
    public static function check(array $block, array $source, ?\WP_Block $parent = null): array
    {
        // The blocks in it were checked with it.
        return $parent ? $block : self::checkedBlock($block);
    }

    /**
     * @param array<string, mixed> $block
     * @return array<string, mixed>
     */
    private static function checkedBlock(array $block): array
    {
        $block['innerContent'] = array_map(fn ($text) => is_string($text) ? self::checkedText($text) : $text, $block['innerContent'] ?? []);
        $block['innerBlocks'] = array_map([self::class, 'checkedBlock'], $block['innerBlocks'] ?? []);
        return $block;
    }

    private static function checkedText(string $text): string
    {
        if (!str_contains($text, 'clip-')) return $text;
        // Addresses come from the settings of the plugin.
        $text = self::replaced('/<\/?clip-config\b' . self::ATTRIBUTES . '>/i', $text, fn (): string => '');
        $text = self::replaced(self::TAG, $text, function (array $found): string {
            $options = self::optionsOf($found[1], $found[2]);
            $given = ['id' => $options['project'] ?? ''] + $options;
            unset($given['project']);
            return Markup::insteadOf(strtolower($found[1]), $given) ?? $found[0];
        });
        return self::replaced(self::OPENING_TAG, $text, function (array $found): string {
            if (!preg_match(self::MARK, $found[2], $mark)) return $found[0];
            $attributes = self::attributesOf($found[2]);
            // A link may name the clip by its address.
            $tag = strtolower($mark[1]);
            $given = ['id' => $attributes["data-$tag"] ?: ($attributes['href'] ?? '' ? 'link' : '')];
            foreach ($attributes as $name => $value) {
                if (str_starts_with($name, 'data-clip-') && !preg_match(self::MARK, " $name")) $given[substr($name, 10)] = $value;
            }
            $instead = Markup::insteadOf($tag, $given);
            return $instead === null ? $found[0] : $instead . preg_replace(self::MARK, 'data-refused-$1', $found[0]);
        });
    }

    /**
     * What a tag sets of its element, by name.
     *
     * @return array<string, string>
     */
    private static function optionsOf(string $tag, string $attributes): array
    {
        $options = [];
        foreach (self::attributesOf($attributes) as $name => $value) {
            if (in_array($name, self::OF_ALL, true) || str_starts_with($name, 'aria-')) continue;
            if (str_starts_with($name, self::UNKNOWN)) $options[substr($name, strlen(self::UNKNOWN))] = $value;
            elseif (!str_starts_with($name, 'data-')) $options[$name] = $value;
        }
        return $options;
    }

    /** @return array<string, string> */
    private static function attributesOf(string $text): array
    {
        $found = array_column(wp_kses_hair($text, wp_allowed_protocols()), 'value', 'name');
        return array_change_key_case($found);
    }

    private static function replaced(string $pattern, string $text, callable $replace): string
    {
        return preg_replace_callback($pattern, $replace, $text) ?? $text;
    }

    public static function needScript(string $content): string
    {
        preg_match_all('/(?:<|\sdata-)(' . self::TAGS . ')\b/i', $content, $found);
        foreach ($found[1] as $tag) Assets::need(strtolower($tag));
        return $content;
    }

    /** The address of a player on a line of its own becomes the player. */
    public static function addAddresses(): void
    {
        if (Settings::playerUrl() === '') return;
        // For the editor: the picture and the title, from the service.
        if (Settings::hostOrigin() === Settings::playerUrl()) {
            wp_oembed_add_provider(Settings::playerUrl() . '/player/*', Settings::hostOrigin() . '/oembed');
        }
        wp_embed_register_handler('clip-kit', '#^' . Markup::playerPattern() . '$#i', fn (array $found): string => Markup::preview(['id' => rawurldecode($found[1])]));
    }
}
