<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** The script of the elements, and the settings that it reads. */
final class Assets
{
    /** Elements that are only in the larger file, which has all of them. */
    private const OF_STUDIO = ['clip-create', 'clip-videos', 'clip-list', 'clip-export-many', 'clip-feed'];

    public static function register(): void
    {
        add_action('init', [self::class, 'add']);
        add_filter('script_loader_tag', [self::class, 'asModule'], 10, 2);
        add_action('wp_head', [self::class, 'printConfig'], 1);
        add_action('enqueue_block_editor_assets', [self::class, 'addPickerSettings']);
    }

    public static function add(): void
    {
        $version = get_file_data(PLUGIN_FILE, ['version' => 'Version'])['version'];
        wp_register_script('clip-kit', plugins_url('script/clip-kit.js', PLUGIN_FILE), [], $version, true);
        wp_register_style('clip-kit-placeholder', plugins_url('placeholder.css', PLUGIN_FILE), [], $version);
        wp_register_style('clip-kit', plugins_url('style.css', PLUGIN_FILE), ['clip-kit-placeholder'], $version);
        wp_register_style('clip-kit-blocks', plugins_url('blocks/editor.css', PLUGIN_FILE), ['wp-components'], $version);
        $editor = ['wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-i18n', 'wp-server-side-render'];
        $scripts = [
            'clip-kit-picker' => ['clip-picker.js', ['wp-api-fetch', 'wp-components', 'wp-element', 'wp-i18n']],
            'clip-kit-blocks' => ['editor.js', ['clip-kit-picker', ...$editor]],
            'clip-kit-studio-block' => ['studio/editor.js', $editor],
        ];
        foreach ($scripts as $handle => [$file, $needed]) {
            wp_register_script($handle, plugins_url("blocks/$file", PLUGIN_FILE), $needed, $version, true);
        }
    }

    /** Where the editor finds the author's clips. */
    public static function addPickerSettings(): void
    {
        $settings = [
            'host' => self::host() ?? (object) [],
            'posterUrl' => Settings::posterUrl(),
            'canMake' => current_user_can(Settings::exportCapability()),
            'settings' => current_user_can('manage_options') ? admin_url('options-general.php?page=clip-kit') : null,
            'newPage' => admin_url('post-new.php' . (current_user_can('edit_pages') ? '?post_type=page' : '')),
        ];
        wp_add_inline_script('clip-kit-picker', 'window.clipKitBlocks = ' . wp_json_encode($settings, JSON_HEX_TAG) . ';', 'before');
    }

    /**
     * Where the host is for the logged-in user, and where the session comes from; null if there is
     * none.
     *
     * @return ?array{endpoint: string, session: string}
     */
    private static function host(): ?array
    {
        if (!is_user_logged_in() || !Settings::hasHost()) return null;
        return ['endpoint' => Settings::text('host_url'), 'session' => Session::path()];
    }

    /** For pages with this element. A page has one script: the larger one if any element needs it. */
    public static function need(string $tag): void
    {
        $script = wp_scripts()->query('clip-kit');
        if ($script && in_array($tag, self::OF_STUDIO, true)) $script->src = plugins_url('script/clip-studio.js', PLUGIN_FILE);
        wp_enqueue_script('clip-kit');
        wp_enqueue_style('clip-kit');
    }

    public static function asModule(string $tag, string $handle): string
    {
        return $handle === 'clip-kit' ? str_replace('<script ', '<script type="module" ', preg_replace('# type=(["\'])text/javascript\1#', '', $tag)) : $tag;
    }

    /** Pages of visitors have no session, so they are the same for all and can be cached. */
    public static function printConfig(): void
    {
        if (Settings::playerUrl() === '') return;
        $settings = ['player-url' => Settings::playerUrl(), 'app-url' => Settings::appUrl(), 'handshake' => 'clip-ready'];
        $settings += ['poster-url' => Settings::posterUrl()] + (self::host() ?? []);
        $settings = array_filter($settings);
        $pairs = array_map(fn ($name) => "$name={$settings[$name]}", array_keys($settings));
        printf("<meta name=\"clip-config\" content=\"%s\">\n", esc_attr(implode(', ', $pairs)));
    }
}
