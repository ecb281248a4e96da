import type { Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import { methods, type AppEnv } from '../http/methods.ts';

/** `/presets`: the style presets that `style_preset_id` and `preset_id` name. Public. */
export function presetRoutes(app: Hono<AppEnv>, service: Pick<ServiceContext, 'presets'>): void {
  methods(app, '/presets', {
    GET: (c) =>
      c.json([...service.presets.values()], 200, {
        'Cache-Control': 'no-cache',
        'Access-Control-Allow-Origin': '*',
        'X-Content-Type-Options': 'nosniff',
      }),
  });
}
