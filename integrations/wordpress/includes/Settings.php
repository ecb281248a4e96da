<?php
declare(strict_types=1);

namespace ClipKit\WordPress;

/** What the settings page stores. */
final class Settings
{
    private const OPTION = 'clip_kit_settings';
    private const TABLES = 'clip_kit_tables';

    /** Who may export and make clips: capabilities from everyone who is logged in to administrators. */
    public const CAPABILITIES = ['read', 'edit_posts', 'publish_posts', 'edit_others_posts', 'manage_options'];

    /** What is entered once and never shown again, each for the address beside it. */
    public const SECRETS = ['api_key' => 'service_url', 'host_secret' => 'host_url'];

    /** With `/v2`, without a final slash. */
    public static function serviceUrl(): string
    {
        return self::text('service_url');
    }

    /** @param key-of<self::SECRETS> $name */
    public static function secret(string $name): string
    {
        return (string) (self::isConstant($name) ? constant(self::constantOf($name)) : get_option("clip_kit_$name", ''));
    }

    /** Whether a secret is in wp-config.php, where it belongs. */
    public static function isConstant(string $name): bool
    {
        return defined(self::constantOf($name));
    }

    public static function constantOf(string $name): string
    {
        return 'CLIP_KIT_' . strtoupper($name);
    }

    /** Whether a clip host at another address is used, and not the one of the plugin. */
    public static function usesHost(): bool
    {
        return self::text('host_url') !== '' && self::secret('host_secret') !== '';
    }

    /** Whether the plugin's own host can be used. */
    public static function isComplete(): bool
    {
        return !self::usesHost() && self::serviceUrl() !== '' && self::secret('api_key') !== '';
    }

    /** Where the players are: as set, or the service's own origin. */
    public static function playerUrl(): string
    {
        return self::text('player_url') ?: self::serviceOrigin();
    }

    /** Where the posters are, with `{project}` in it: as set, or at the service's own players. */
    public static function posterUrl(): string
    {
        $own = self::playerUrl() === self::serviceOrigin() && self::serviceOrigin() !== '';
        return self::text('poster_url') ?: ($own ? self::serviceOrigin() . '/player/{project}/poster.jpg' : '');
    }

    public static function appUrl(): string
    {
        return self::text('app_url') ?: self::serviceOrigin();
    }

    /** Of the service; a host at another address is usually a part of it. */
    public static function serviceOrigin(): string
    {
        return Host::originOf(self::usesHost() ? self::text('host_url') : self::serviceUrl());
    }

    public static function exportCapability(): string
    {
        $found = self::text('export_capability');
        return in_array($found, self::CAPABILITIES, true) ? $found : 'publish_posts';
    }

    /** As stored, for the settings page. */
    public static function text(string $name): string
    {
        $stored = get_option(self::OPTION, []);
        return is_array($stored) && is_string($stored[$name] ?? null) ? $stored[$name] : '';
    }

    /** @param array<string, string> $values */
    public static function save(array $values): void
    {
        update_option(self::OPTION, $values);
    }

    /** Not loaded with every page. An empty one is removed. */
    public static function saveSecret(string $name, #[\SensitiveParameter] string $secret): void
    {
        if ($secret === '') delete_option("clip_kit_$name");
        else update_option("clip_kit_$name", $secret, false);
    }

    public static function hasTables(): bool
    {
        return get_option(self::TABLES) === '2';
    }

    public static function noteTables(): void
    {
        update_option(self::TABLES, '2');
    }

    public static function remove(): void
    {
        global $wpdb;
        array_map('delete_option', [self::OPTION, self::TABLES, ...array_map(fn ($name) => "clip_kit_$name", array_keys(self::SECRETS))]);
        // Notices of the settings page to somebody who never came back to it.
        $notices = $wpdb->esc_like('clip_kit_notice_') . '%';
        $wpdb->query($wpdb->prepare("DELETE FROM $wpdb->options WHERE option_name LIKE %s OR option_name LIKE %s",
            $wpdb->esc_like('_transient_') . $notices, $wpdb->esc_like('_transient_timeout_') . $notices));
    }
}
