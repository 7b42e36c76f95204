import { useState } from 'react';
import { toast } from 'sonner';
import { cutText } from '#shared/normalization/cut-text.ts';
import {
  createPlannedWalk,
  plannedWalkFields,
  updatePlannedWalk,
  type PlannedWalk,
} from '#shared/planned-walks/contract.ts';
import {
  DAYS_AHEAD_MAX,
  NOTE_MAX,
  PLACE_NAME_MAX,
  problemOfStart,
} from '#shared/planned-walks/rules.ts';
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
import { degreesOf } from '../../platform/map/degrees.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { useNow } from '../../platform/use-now.ts';
import { useContacts } from '../friends/use-contacts.ts';
import { PinField } from '../geocoder/pin-field.tsx';
import { lastSearch } from '../locations/search/use-places.ts';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { FriendsField } from './friends-field.tsx';
import { usePlannedWalkActions } from './use-planned-walks.ts';

/** The option of the place field for a place that isn't listed. */
const OTHER = '';
const NO_PIN = { latitude: '', longitude: '' };

const localTime = (ms: number) => toLocalField(new Date(ms).toISOString());
/** Tomorrow at 5 PM. */
function usualStart(): string {
  const start = new Date();
  start.setDate(start.getDate() + 1);
  return localTime(start.setHours(17, 0, 0, 0));
}

interface Place {
  id: string;
  name: string;
  latitude: number;
  longitude: number;
}

/** The places that can be chosen, also offline: those of the last search, and the one that was chosen before. */
function usePlaces(walk: PlannedWalk | undefined): Place[] {
  const userId = useUser()?.id ?? '';
  const [places] = useState((): Place[] => {
    const found: Place[] = lastSearch(userId)?.answer.locations ?? [];
    const { location_id: id = null, place_name: name = '', latitude, longitude } = walk ?? {};
    const isListed = id === null || found.some((place) => place.id === id);
    if (isListed || latitude == null || longitude == null) return found;
    return [{ id, name, latitude, longitude }, ...found];
  });
  return places;
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
  const places = usePlaces(walk);
  const [draft, setDraft] = useState({
    starts_at: walk ? toLocalField(walk.starts_at) : usualStart(),
    place_name: walk && !walk.location_id ? walk.place_name : '',
    note: walk?.note ?? '',
  });
  const [placeId, setPlaceId] = useState(
    walk ? (walk.location_id ?? OTHER) : (chosenAt ?? places[0]?.id ?? OTHER),
  );
  const [pin, setPin] = useState(
    walk && !walk.location_id && walk.latitude !== null && walk.longitude !== null
      ? { latitude: String(walk.latitude), longitude: String(walk.longitude) }
      : NO_PIN,
  );
  const [friends, setFriends] = useState<readonly string[]>(
    walk?.participants.map(({ user_id }) => user_id) ?? (friendId === null ? [] : [friendId]),
  );
  const { status, contacts } = useContacts();
  const hasNoFriends = !walk && status === 'ready' && contacts.friends.length === 0;
  const place = places.find(({ id }) => id === placeId);

  const form = useSubmit(async () => {
    const where = place
      ? {
          place_name: cutText(place.name, PLACE_NAME_MAX),
          location_id: place.id,
          latitude: place.latitude,
          longitude: place.longitude,
        }
      : {
          place_name: draft.place_name,
          latitude: degreesOf(pin.latitude),
          longitude: degreesOf(pin.longitude),
        };
    // An unchanged time must stay the same to the second: another one would ask for all answers again.
    const isSameTime = walk && draft.starts_at === toLocalField(walk.starts_at);
    const fields = parseForm(plannedWalkFields, {
      ...where,
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
      toast(walk ? 'Your friends are notified.' : 'Your friends are invited.');
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
      {places.length > 0 && (
        <SelectField
          label="Place"
          options={[
            { value: OTHER, name: 'Another place' },
            ...places.map(({ id, name }) => ({ value: id, name })),
          ]}
          value={place ? placeId : OTHER}
          onChange={({ target }) => setPlaceId(target.value)}
          hint="Places of your last search are listed."
        />
      )}
      {!place && (
        <>
          <Field
            label={places.length > 0 ? 'Name of the place' : 'Place'}
            maxLength={PLACE_NAME_MAX}
            autoComplete="off"
            required
            {...bind('place_name')}
          />
          <PinField
            legend="Pin"
            isOptional
            value={pin}
            errors={form.fields}
            onChange={(changed) => {
              setPin((before) => ({ ...before, ...changed }));
              form.clear('latitude', 'longitude');
            }}
          />
        </>
      )}
      <MessageField label="Note" max={NOTE_MAX} {...note} onChange={changeNote} />
      <p className="text-sm text-soft">
        Invited friends see the walk and your note. They see the names of their own friends among
        the others.
      </p>
    </Form>
  );
}
