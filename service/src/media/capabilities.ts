import type { FieldError } from 'clip-kit/contract';

/**
 * What a request asks for that this engine cannot do yet. `body` is the raw body as sent:
 * a field left out is never refused, an explicit ask is.
 */
export function unsupported(body: Record<string, unknown>): FieldError[] {
  const errors: FieldError[] = [];
  if (body['translate_to'] !== undefined) {
    errors.push({
      path: 'translate_to',
      message:
        'translation is not built into this service yet: leave the field out to keep the source’s own language',
    });
  }
  for (const path of ['style_preset_id', 'preset_id']) {
    if (body[path] === undefined) continue;
    errors.push({
      path,
      message:
        'style presets are not built into this service yet: leave the field out for the one style there is',
    });
  }
  return errors;
}
