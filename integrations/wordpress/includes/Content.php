<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** Elements in the text of posts: tags of trusted people, marked links and blocks, and addresses. */
final class Content
{
    public static function register(): void
    {
        add_filter('wp_kses_allowed_html', [self::class, 'allow'], 10, 2);
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
            $tags[$tag] = array_fill_keys([...$names, 'id', 'class', 'style', 'slot', 'lang', 'title'], true);
        }
        return $tags;
    }

    public static function needScript(string $content): string
    {
        if (preg_match('/<clip-|\sdata-clip-(preview|embed|export-button)\b/', $content)) Assets::need();
        return $content;
    }

    /** The address of a player on a line of its own becomes the player. */
    public static function addAddresses(): void
    {
        if (Settings::playerUrl() === '') return;
        // For the editor: the picture and the title, from the service.
        if (Settings::serviceOrigin() === Settings::playerUrl()) {
            wp_oembed_add_provider(Settings::playerUrl() . '/player/*', Settings::serviceOrigin() . '/oembed');
        }
        wp_embed_register_handler('clip-kit', '#^' . Markup::playerPattern() . '$#i', fn (array $found): string => Markup::preview(['id' => rawurldecode($found[1])]));
    }
}
