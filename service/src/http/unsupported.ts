import type { FieldError } from 'clip-kit/contract';

/**
 * What a request asks for that this engine cannot do. `body` is the raw body as sent:
 * a field left out is never refused, an explicit ask is.
 */
export function unsupported(
  body: Record<string, unknown>,
  can: { translate: boolean } = { translate: false },
): FieldError[] {
  const errors: FieldError[] = [];
  if (body['translate_to'] !== undefined && !can.translate) {
    errors.push({
      path: 'translate_to',
      message:
        'this service has no translation server: its operator sets TRANSLATE_URL to one that is compatible with ' +
        'LibreTranslate. Leave the field out to keep the source’s own language',
    });
  }
  return errors;
}
