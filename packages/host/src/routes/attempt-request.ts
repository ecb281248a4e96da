import * as z from 'zod/mini';
import { attemptKeySchema } from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';
import type { PaidCall } from '../attempts/paid-call.ts';
import { readQuery } from '../http/query.ts';
import { jsonResponse, type RouteContext } from './route-context.ts';

const attemptQuerySchema = z.strictObject({ attempt: attemptKeySchema });

/** The `Idempotency-Key` of a request. Throws 400 if it is missing. */
export function attemptKeyOf(request: Request): string {
  const key = attemptKeySchema.safeParse(request.headers.get('Idempotency-Key'));
  if (key.success) return key.data;
  const message = 'must be 8 to 128 characters of A-Z a-z 0-9 . _ -, one for each intent to pay';
  throw new HostProblem('invalid-request', {
    detail: `Idempotency-Key ${message}.`,
    errors: [{ path: 'Idempotency-Key', message }],
  });
}

/**
 * The answer to `?attempt=KEY`: what the attempt has started, if it is known. The key is in the
 * answer's header if it is certain: without a result, nothing was started, and a later start with
 * the key is carried out at most once.
 */
export async function attemptResponse<T extends { readonly id: string }>(
  { url, hostUser, starts }: Pick<RouteContext, 'url' | 'hostUser' | 'starts'>,
  callOf: (request: string) => PaidCall<T>,
): Promise<Response> {
  const { attempt } = readQuery(url, attemptQuerySchema);
  const { value, inFlight, promised } = await starts.find(hostUser, attempt, callOf);
  const status = inFlight ? 202 : 200;
  const headers: Record<string, string> =
    promised && !inFlight ? { 'Idempotency-Key': attempt } : {};
  return jsonResponse(value ? [value] : [], status, headers);
}
