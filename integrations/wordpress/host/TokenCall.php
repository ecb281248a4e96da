<?php
declare(strict_types=1);
namespace ClipKit\Host;

/** Requests embed tokens, with what they allow in the service's own pages. */
final class TokenCall
{
    private const KNOWN = ['view', 'edit', 'export'];

    /**
     * @param ?array<mixed> $permissions what the site has set. Null: `view` beside policies,
     *     otherwise the service's default
     * @param bool $hasPolicies whether the site has policies that the service's pages know nothing of
     */
    public function __construct(
        private readonly Service $service,
        private readonly ?array $permissions,
        private readonly bool $hasPolicies,
    ) {
        if ($permissions === null) return;
        $known = array_filter($permissions, fn ($one) => in_array($one, self::KNOWN, true)) === $permissions;
        if (!$known || !array_is_list($permissions) || !in_array('view', $permissions, true)) {
            throw new \InvalidArgumentException('tokenPermissions must be a list of view, edit and export, with view among them.');
        }
    }

    public function create(string $managedUser): string
    {
        $asked = $this->permissions ?? ($this->hasPolicies ? ['view'] : null);
        if ($asked === null) return $this->service->createToken($managedUser);
        try {
            return $this->service->createToken($managedUser, $asked);
        } catch (Problem $problem) {
            // A proxy, which does not answer in JSON, says nothing of what the service knows.
            if (!in_array($problem->serviceStatus, [400, 422], true) || !$problem->serviceSpoke) throw $problem;
        }
        // The specification's tokens have no permissions; a service without them has no editor.
        $token = $this->permissions === null ? $this->service->createToken($managedUser) : null;
        if ($token !== null && !self::saysPermissions($token)) return $token;
        throw new Problem('service-error', reason: "the service refuses tokenPermissions: $problem->reason");
    }

    private static function saysPermissions(string $token): bool
    {
        $payload = base64_decode(strtr(explode('.', $token)[1] ?? '', '-_', '+/'));
        return isset(((array) json_decode((string) $payload, true))['permissions']);
    }
}
