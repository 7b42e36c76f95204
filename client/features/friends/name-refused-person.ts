import type { RefusedCall } from '../../platform/features.ts';

/** The rejection may come long after the tap, on another screen: names the user. */
export const nameRefusedPerson: RefusedCall = async (_, { call }, failure) => {
  const { CALLS } = await import('../../platform/sync/outbox/outbox-calls.ts');
  const title = `${call.input.failure ?? CALLS[call.name].failure}: ${call.label}`;
  return { ...failure, title, description: failure.title };
};
