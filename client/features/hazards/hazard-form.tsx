import { useState } from 'react';
import { toast } from 'sonner';
import { createHazard, hazardFields } from '#shared/hazards/contract.ts';
import type { HazardKind } from '#shared/hazards/rules.ts';
import { HAZARD_DESCRIPTION_MAX, HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import {
  InvalidForm,
  parseForm,
  requireValid,
  useSubmit,
} from '../../platform/forms/use-submit.ts';
import { degreesOf, typedPoint } from '../../platform/map/degrees.ts';
import { confirmPoint, HerePinField } from '../geocoder/here-pin-field.tsx';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { findPosition, PLACES_MESSAGES } from '../../platform/position/find-position.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { sendLater } from '../../platform/sync/outbox/outbox.ts';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { optionsOf, SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { reachability } from '../../platform/http/reachability.ts';

const SUBMIT = 'Report hazard';

const KINDS = optionsOf(HAZARD_NAMES);

const findHere = () => findPosition({ isFresh: true, messages: PLACES_MESSAGES });

/** Reports a hazard or a lost dog, here or at a chosen point. It is sent when there is a network. */
export function HazardForm({ onDone }: { onDone: () => void }) {
  const documents = useDocuments();
  const filter = useContentFilter();
  const [kind, setKind] = useState<HazardKind>('glass');
  const [description, setDescription] = useState('');
  const [point, setPoint] = useState({ latitude: '', longitude: '' });

  const form = useSubmit(async () => {
    const isHere = point.latitude.trim() === '' && point.longitude.trim() === '';
    requireValid(filter('hazard', { description }));
    if (isHere) {
      setPoint(typedPoint(await findHere()));
      throw confirmPoint(SUBMIT);
    }
    const latitude = degreesOf(point.latitude);
    const longitude = degreesOf(point.longitude);
    const body = parseForm(hazardFields, { kind, description, latitude, longitude });
    try {
      if (!documents) throw new Error('No one is signed in');
      await sendLater(documents, 'hazards.create', { body }, HAZARD_NAMES[kind]);
    } catch (error) {
      console.error('Failed to store the hazard', error);
      throw new InvalidForm({}, createHazard.failure);
    }
    toast(
      reachability.get()
        ? 'Thank you. People nearby are notified.'
        : 'We’ll send it once you’re online.',
    );
    onDone();
  });
  const move = (changed: Partial<typeof point>) => {
    setPoint((before) => ({ ...before, ...changed }));
    form.clear('latitude', 'longitude');
  };

  return (
    <Form form={form} submit={SUBMIT} pending="Sending…" onCancel={onDone}>
      <SelectField
        label="What is it?"
        options={KINDS}
        value={kind}
        onChange={({ target }) => setKind(target.value as HazardKind)}
      />
      <MessageField
        label="Description"
        value={description}
        onChange={(text) => {
          setDescription(text);
          form.clear('description');
        }}
        error={form.fields['description']}
        max={HAZARD_DESCRIPTION_MAX}
      />
      <HerePinField
        legend="Where it is"
        value={point}
        form={form}
        find={findHere}
        hint="If you leave both empty, we fill in where you are for you to check."
        onChange={move}
      />
      <p className="text-sm text-soft">
        Members see the hazard and its place, but not who reported it.
      </p>
    </Form>
  );
}
