<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** Blocks and shortcodes. Both are drawn by the server. */
final class Blocks
{
    private const DRAWN = ['preview' => 'preview', 'embed' => 'embed', 'export' => 'export'];

    public static function register(): void
    {
        add_action('init', [self::class, 'add'], 11);
    }

    public static function add(): void
    {
        foreach (self::DRAWN as $name => $method) {
            register_block_type(dirname(__DIR__) . "/blocks/$name", [
                'render_callback' => function (array $attributes) use ($method): string {
                    $html = Markup::$method($attributes);
                    return $html === '' ? '' : sprintf('<div %s>%s</div>', get_block_wrapper_attributes(), $html);
                },
            ]);
            add_shortcode("clip_$name", function ($given, ?string $content = null) use ($method): string {
                $label = trim(wp_strip_all_tags((string) $content));
                return Markup::$method((is_array($given) ? $given : []) + ($label === '' ? [] : ['label' => $label]));
            });
        }
    }
}
