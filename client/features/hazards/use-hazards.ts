import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { hazardFields, listHazards, type Hazard } from '#shared/hazards/contract.ts';
import { HAZARD_RADIUS, HAZARD_MS } from '#shared/hazards/rules.ts';
import type { Place } from '#shared/place.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { outboxOf, type WaitingCall } from '../../platform/sync/outbox/outbox.ts';
import { useAllWaiting } from '../../platform/sync/outbox/use-outbox.ts';

const EVERY_MS = MINUTE_MS;
/** The age from which an answer is shown with it. */
export const OLD_MS = 2 * EVERY_MS;

/** A hazard as the owner sees it on this device. */
export type ShownHazard = Hazard & {
  /** It wasn't sent yet. */
  isWaiting?: true;
};

/** Fetches the hazards again, such as after one was reported. */
export const refetchHazards = () => queries.invalidateQueries({ queryKey: ['hazards'] });

/** Applies the owner's unsent calls to the hazards from the server. */
function withWaiting(hazards: readonly Hazard[], waiting: readonly WaitingCall[]): ShownHazard[] {
  let shown: ShownHazard[] = [...hazards];
  for (const each of waiting) {
    if (each.name === 'hazards.create') {
      const { data } = hazardFields.safeParse(each.input.body);
      if (!data) continue;
      shown.unshift({
        ...data,
        dog_name: data.dog_name ?? null,
        contact: data.contact ?? null,
        image_key: null,
        id: `waiting-${each.at}`,
        reported_at: new Date(each.at).toISOString(),
        expires_at: new Date(each.at + HAZARD_MS[data.kind]).toISOString(),
        confirmed_count: 0,
        denied_count: 0,
        own_vote: null,
        is_own: true,
        isWaiting: true,
      });
    }
    if (each.name === 'hazards.remove')
      shown = shown.filter(({ id }) => id !== each.input.params.id);
    if (each.name === 'hazards.vote') {
      const { params, body } = each.input;
      shown = shown.map((hazard) =>
        hazard.id === params.id
          ? { ...hazard, own_vote: body.is_there ? 'confirmed' : 'denied' }
          : hazard,
      );
    }
  }
  return shown;
}

/** Returns the current hazards around a point, nearest first, with the owner's unsent reports and votes. */
export function useHazards(around: Place | null) {
  const userId = useUser()?.id ?? '';
  const documents = useDocuments();
  const waiting = useAllWaiting();
  const { data, dataUpdatedAt, error, fetchStatus } = useQuery({
    queryKey: ['hazards', userId, around],
    queryFn: ({ signal }) =>
      call(listHazards, {
        query: {
          latitude: String(around?.latitude),
          longitude: String(around?.longitude),
          radius_miles: HAZARD_RADIUS.usual,
        },
        signal,
      }),
    enabled: around !== null,
    refetchInterval: EVERY_MS,
  });
  useEffect(() => {
    if (!documents) return;
    return outboxOf(documents).onOutcome(({ call: { name } }) => {
      if (name.startsWith('hazards.')) void refetchHazards();
    });
  }, [documents]);
  const hazards = useMemo(() => withWaiting(data?.hazards ?? [], waiting), [data, waiting]);
  return {
    hazards,
    error,
    /** When the server answered, in milliseconds; null before: only then are there none. */
    answeredAt: data ? dataUpdatedAt : null,
    /** Waiting for a network. */
    isPaused: fetchStatus === 'paused',
  };
}
