<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** Blocks and shortcodes. Both are drawn by the server. */
final class Blocks
{
    /** Each is a method of `Markup`. */
    private const NAMES = ['preview', 'embed', 'export', 'feed', 'gallery', 'studio'];

    public static function register(): void
    {
        add_action('init', [self::class, 'add'], 11);
    }

    public static function add(): void
    {
        foreach (self::NAMES as $name) {
            register_block_type(dirname(__DIR__) . "/blocks/$name", [
                'render_callback' => function (array $attributes) use ($name): string {
                    $html = Markup::$name($attributes);
                    return $html === '' ? '' : sprintf('<div %s>%s</div>', get_block_wrapper_attributes(), $html);
                },
            ]);
            add_shortcode("clip_$name", function ($given, ?string $content = null) use ($name): string {
                $label = trim(wp_strip_all_tags((string) $content));
                return Markup::$name((is_array($given) ? $given : []) + ($label === '' ? [] : ['label' => $label]));
            });
        }
    }
}
