import { useMemo } from 'react';
import { newId } from '#shared/ids.ts';
import {
  listPlannedWalks,
  type PlannedWalk,
  type PlannedWalkFields,
  type WalkAnswer,
} from '#shared/planned-walks/contract.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useCachedQuery } from '../../platform/session/use-cached-query.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import type { CallInput, CallName } from '../../platform/sync/outbox/outbox-calls.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { useWaitingCalls } from '../../platform/sync/outbox/use-waiting-calls.ts';
import { useContacts, useFriendNames } from '../friends/use-contacts.ts';
import { plannedWalksWithWaiting } from './optimistic-planned-walks.ts';

const NAME = 'planned-walks';

/** Reads the planned walks again, such as after an event. */
export const refetchPlannedWalks = () => queries.invalidateQueries({ queryKey: [NAME] });

/**
 * Returns the planned walks that the owner may see, first to last, with unsent calls applied. Works offline. Those of someone who is
 * no friend any more are hidden at once, also if they are cached.
 */
export function usePlannedWalks() {
  const userId = useUser()?.id ?? '';
  const asked = useCachedQuery(NAME, listPlannedWalks.answer, () => call(listPlannedWalks), {
    // An event can be missed while the stream reconnects.
    refetchInterval: 5 * MINUTE_MS,
  });
  const waiting = useWaitingCalls('plannedWalks', refetchPlannedWalks);
  const names = useFriendNames();
  const { status, contacts } = useContacts();
  const { data } = asked;
  const walks = useMemo(() => {
    const friends = new Set(contacts.friends.map(({ user_id }) => user_id));
    const isVisible = ({ is_own, organizer }: PlannedWalk) =>
      is_own || status !== 'ready' || friends.has(organizer.user_id);
    const visible = data?.planned_walks.filter(isVisible) ?? [];
    return plannedWalksWithWaiting(visible, waiting, { userId, names });
  }, [data, waiting, userId, names, status, contacts]);
  return { walks, asked };
}

/** Returns the actions on planned walks, which wait in the outbox for the network. Each settles when it is stored on this device. */
export function usePlannedWalkActions() {
  const documents = useDocuments();
  async function send<N extends CallName>(name: N, input: CallInput<N>, label: string) {
    if (!documents) throw new Error('No one is signed in');
    await sendLater(documents, name, input, label);
  }
  return {
    plan: (fields: PlannedWalkFields) =>
      send('plannedWalks.create', { body: { ...fields, id: newId() } }, fields.place_name),
    edit: (id: string, fields: PlannedWalkFields) =>
      send('plannedWalks.update', { params: { id }, body: fields }, fields.place_name),
    cancel: ({ id, place_name }: PlannedWalk) =>
      send('plannedWalks.cancel', { params: { id } }, place_name),
    answer: ({ id, starts_at, place_name }: PlannedWalk, answer: WalkAnswer) =>
      send('plannedWalks.answer', { params: { id }, body: { answer, starts_at } }, place_name),
  };
}
