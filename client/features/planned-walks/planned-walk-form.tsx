import { CalendarClock } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { formatTime } from '#shared/dates.ts';
import {
  createPlannedWalk,
  plannedWalkFields,
  updatePlannedWalk,
  type PlannedWalk,
} from '#shared/planned-walks/contract.ts';
import { DAYS_AHEAD_MAX, NOTE_MAX, problemOfStart } from '#shared/planned-walks/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import { fromLocalField, toLocalField } from '../../platform/admin/format.ts';
import { Form } from '../../platform/forms/form.tsx';
import {
  InvalidForm,
  parseForm,
  requireValid,
  useSubmit,
} from '../../platform/forms/use-submit.ts';
import { reachability } from '../../platform/http/reachability.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { useNow } from '../../platform/use-now.ts';
import { useContacts } from '../friends/use-contacts.ts';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { FriendsField } from './friends-field.tsx';
import { walkAtSameTime } from './next-walks.ts';
import { NO_PLACE, PlaceField, placeFields, useKnownPlace, walkPlace } from './place-field.tsx';
import { usePlannedWalkActions, usePlannedWalks } from './use-planned-walks.ts';

const localTime = (ms: number) => toLocalField(new Date(ms).toISOString());
/** Tomorrow at 5 PM. */
function usualStart(): string {
  const start = new Date();
  start.setDate(start.getDate() + 1);
  return localTime(start.setHours(17, 0, 0, 0));
}

/** Plans a walk, or edits one. It is sent when there is a network. */
export function PlannedWalkForm({
  walk,
  placeId: chosenAt = null,
  friendId = null,
  onDone,
}: {
  walk?: PlannedWalk | undefined;
  /** Of the place where a new one starts out. */
  placeId?: string | null;
  /** Who is invited to a new one at first. */
  friendId?: string | null;
  onDone: () => void;
}) {
  const actions = usePlannedWalkActions();
  const filter = useContentFilter();
  const now = useNow();
  const { walks } = usePlannedWalks();
  const [draft, setDraft] = useState({
    starts_at: walk ? toLocalField(walk.starts_at) : usualStart(),
    note: walk?.note ?? '',
  });
  const start = useKnownPlace(walk ? null : chosenAt);
  const [chosen, setPlace] = useState(
    walk ? walkPlace(walk.location_id, walk.place_name, walk) : null,
  );
  const place = chosen ?? start ?? NO_PLACE;
  const [friends, setFriends] = useState<readonly string[]>(
    walk?.participants.map(({ user_id }) => user_id) ?? (friendId === null ? [] : [friendId]),
  );
  const { status, contacts } = useContacts();
  const hasNoFriends = !walk && status === 'ready' && contacts.friends.length === 0;
  const startsAt = new Date(draft.starts_at).getTime();
  const other = walkAtSameTime(walks, startsAt, { except: walk?.id, now });

  const form = useSubmit(async () => {
    // An unchanged time must stay the same to the second: another one would ask for all answers again.
    const isSameTime = walk && draft.starts_at === toLocalField(walk.starts_at);
    const fields = parseForm(plannedWalkFields, {
      ...placeFields(place),
      starts_at: isSameTime ? walk.starts_at : fromLocalField(draft.starts_at),
      note: draft.note,
      participant_ids: friends,
    });
    const problem = problemOfStart(Date.parse(fields.starts_at), Date.now());
    requireValid({
      ...(problem && { starts_at: problem }),
      ...filter('planned_walk', { place_name: fields.place_name, note: fields.note }),
    });
    try {
      await (walk ? actions.edit(walk.id, fields) : actions.plan(fields));
    } catch (error) {
      console.error('Failed to store the walk', error);
      throw new InvalidForm({}, (walk ? updatePlannedWalk : createPlannedWalk).failure);
    }
    if (reachability.get())
      toast(walk ? 'We’re telling your friends.' : 'We’re inviting your friends.');
    else toast('We’ll send it once you’re online.');
    onDone();
  });
  const bind = form.bind(draft, (name, text) =>
    setDraft((before) => ({ ...before, [name]: text })),
  );
  const { onChange: changeNote, ...note } = bind('note');

  const who = (
    <FriendsField
      chosen={friends}
      error={form.fields['participant_ids']}
      onChange={(next) => {
        setFriends(next);
        form.clear('participant_ids');
      }}
    />
  );
  // Nobody fills in a form that they can't send.
  if (hasNoFriends) return who;
  return (
    <Form form={form} submit={walk ? 'Save' : 'Invite friends'} onCancel={onDone} isInView>
      {who}
      <Field
        label="Date and time"
        type="datetime-local"
        min={localTime(now)}
        max={localTime(now + DAYS_AHEAD_MAX * DAY_MS)}
        required
        hint={walk ? 'If you change it, everyone is asked again.' : undefined}
        {...bind('starts_at')}
      />
      <p role="status" className="-mt-2 flex items-start gap-2 text-sm empty:hidden">
        {other && (
          <>
            <CalendarClock aria-hidden className="size-5 shrink-0 text-accent" />
            <span className="min-w-0 break-words">
              You have another walk then: {other.place_name}, {formatTime(other.starts_at)}.
            </span>
          </>
        )}
      </p>
      <PlaceField
        place={place}
        errors={form.fields}
        onChange={(next) => {
          setPlace(next);
          form.clear('place_name', 'latitude', 'longitude');
        }}
      />
      <MessageField label="Note" max={NOTE_MAX} {...note} onChange={changeNote} />
      <p className="text-sm text-soft">
        Invited friends see the walk and your note. They see the names of their own friends among
        the others.
      </p>
    </Form>
  );
}
