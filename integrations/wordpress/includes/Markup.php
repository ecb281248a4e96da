<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** The elements as HTML. Only the listed attributes: none that says where requests go. */
final class Markup
{
    /** @param array<string, mixed> $given from a block or a shortcode */
    public static function preview(array $given): string
    {
        $id = self::idOf((string) ($given['id'] ?? ''));
        if ($id === '' || Settings::playerUrl() === '') return self::hint($id);
        $title = trim((string) ($given['title'] ?? ''));
        $poster = (string) ($given['poster'] ?? '');
        $attributes = [
            'project' => $id,
            'loading' => in_array($given['loading'] ?? null, ['lazy', 'eager', 'click'], true) ? $given['loading'] : 'click',
            'poster' => esc_url($poster),
            'label' => $title,
            'width' => (string) ((int) ($given['width'] ?? 0) ?: ''),
            'height' => (string) ((int) ($given['height'] ?? 0) ?: ''),
        ] + self::inEditor();
        $link = sprintf('<a href="%s">%s</a>', esc_url(self::playerAddress($id)), esc_html($title !== '' ? $title : __('Watch the clip', 'clip-kit')));
        return self::element('clip-preview', $attributes, $link, self::widthOf($given));
    }

    /** @param array<string, mixed> $given */
    public static function embed(array $given): string
    {
        $id = self::idOf((string) ($given['id'] ?? ''));
        if ($id === '' || !Settings::isComplete()) return self::hint($id);
        if (self::isEditor()) return self::card(__('Clip editor', 'clip-kit'), __('Logged-in users edit the clip here.', 'clip-kit'));
        if (!is_user_logged_in()) return self::logIn(__('Log in to edit this clip', 'clip-kit'));
        return self::element('clip-embed', ['project' => $id], '', self::widthOf($given));
    }

    /** @param array<string, mixed> $given */
    public static function export(array $given): string
    {
        $id = self::idOf((string) ($given['id'] ?? ''));
        if ($id === '' || !Settings::isComplete()) return self::hint($id);
        $label = trim((string) ($given['label'] ?? ''));
        if (self::isEditor()) {
            return sprintf('<p><span class="clip-kit-button">%s</span></p>', esc_html($label !== '' ? $label : __('Export', 'clip-kit')));
        }
        if (!is_user_logged_in()) return self::logIn(__('Log in to export this clip', 'clip-kit'));
        if (!current_user_can(Settings::exportCapability())) return '';
        return self::element('clip-export-button', ['project' => $id, 'folder' => trim((string) ($given['folder'] ?? ''))], esc_html($label));
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
        Assets::need();
        $text = '';
        foreach ($attributes as $name => $value) {
            if ($value !== '') $text .= sprintf(' %s="%s"', $name, esc_attr($value));
        }
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
    private static function hint(string $id): string
    {
        if (!current_user_can('edit_posts')) return '';
        $text = $id === '' ? __('Enter the id of a clip, or the address of its player.', 'clip-kit')
            : __('The clip service is not set up. An administrator can do that in Settings, Clips.', 'clip-kit');
        return self::card(__('Clip', 'clip-kit'), $text);
    }

    private static function card(string $title, string $text): string
    {
        Assets::need();
        return sprintf('<div class="clip-kit-card"><strong>%s</strong><span>%s</span></div>', esc_html($title), esc_html($text));
    }

    /** Whether this is the preview of a block in the editor, which has no meta element of ours. */
    private static function isEditor(): bool
    {
        return defined('REST_REQUEST') && REST_REQUEST && ($_GET['context'] ?? '') === 'edit'; // phpcs:ignore WordPress.Security.NonceVerification -- Nothing is changed.
    }

    /** @return array<string, string> */
    private static function inEditor(): array
    {
        return self::isEditor() ? ['player-url' => Settings::playerUrl(), 'handshake' => 'clip-ready'] : [];
    }
}
