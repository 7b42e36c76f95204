import { MapPin } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { toast } from 'sonner';
import { createHazard, hazardFields } from '#shared/hazards/contract.ts';
import type { HazardKind } from '#shared/hazards/rules.ts';
import {
  HAZARD_DESCRIPTION_MAX,
  HAZARD_NAMES,
  LOST_DOG_CONTACT_MAX,
  LOST_DOG_NAME_MAX,
} from '#shared/hazards/rules.ts';
import { isTooRough } from '#shared/proximity/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import {
  InvalidForm,
  parseForm,
  requireValid,
  useSubmit,
} from '../../platform/forms/use-submit.ts';
import { degreesOf, typedPoint } from '../../platform/map/degrees.ts';
import { usePicture } from '../../platform/pictures/use-picture.ts';
import {
  findPosition,
  PLACES_MESSAGES,
  type Position,
} from '../../platform/position/find-position.ts';
import { useDocuments } from '../../platform/sync/documents/use-document.ts';
import { outboxOf } from '../../platform/sync/outbox/outbox.ts';
import { whenAnswered, type Answered } from '../../platform/sync/outbox/send-soon.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { FieldError } from '../../platform/ui/inputs/field-error.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { ImageField } from '../../platform/ui/inputs/image-field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { useObjectUrl } from '../../platform/ui/inputs/use-object-url.ts';
import { confirmPoint, HerePinField } from '../geocoder/here-pin-field.tsx';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { HAZARD_ICONS } from './hazard-kinds.ts';
import { hazardPhotosOf } from './photo-outbox.ts';

const findHere = () => findPosition({ isFresh: true, messages: PLACES_MESSAGES });

/**
 * Reports a hazard or a lost dog, here or at a chosen point. It is sent when there is a network.
 * @param isHere whether it starts with where this device is, such as on a walk
 * @param onKind called when they say what it is
 */
export function HazardForm({
  onDone,
  isHere: startsHere = false,
  onKind,
}: {
  onDone: () => void;
  isHere?: boolean;
  onKind?: (kind: HazardKind) => void;
}) {
  const documents = useDocuments();
  const filter = useContentFilter();
  const [kind, setKind] = useState<HazardKind | null>(null);
  const isLostDog = kind === 'lost_dog';
  const submit = isLostDog ? 'Report lost dog' : 'Report hazard';
  const [description, setDescription] = useState('');
  const [dogName, setDogName] = useState('');
  const [contact, setContact] = useState('');
  const picture = usePicture();
  const preview = useObjectUrl(picture.shown);
  /** Whether the place is one line: where the walker is. */
  const [isFolded, setFolded] = useState(startsHere);
  const [point, setPoint] = useState({ latitude: '', longitude: '' });
  /** Where the walker was when the form opened. */
  const [first, setFirst] = useState<Position | null>(null);

  const form = useSubmit(async () => {
    const isHere = point.latitude.trim() === '' && point.longitude.trim() === '';
    if (kind === null) throw new InvalidForm({ kind: 'Choose what it is.' });
    requireValid(filter('hazard', { description }));
    // Again: the walker may have gone on since the form opened.
    const here = isHere
      ? await findHere().catch((error: unknown) => {
          if (isFolded && first) return first;
          throw error;
        })
      : null;
    const where = here ? typedPoint(here) : point;
    // Folded, the form says that it is where they are.
    if (here && (!isFolded || isTooRough(here))) {
      setPoint(where);
      setFolded(false);
      throw confirmPoint(submit);
    }
    const latitude = degreesOf(where.latitude);
    const longitude = degreesOf(where.longitude);
    const ofDog = isLostDog ? { dog_name: dogName, contact } : {};
    requireValid(filter('hazard', ofDog));
    const body = parseForm(hazardFields, { kind, description, ...ofDog, latitude, longitude });
    const photo = await picture.taken();
    let answered: Answered;
    try {
      if (!documents) throw new Error('No one is signed in');
      const key = await outboxOf(documents).add('hazards.create', { body }, HAZARD_NAMES[kind]);
      const answer = whenAnswered(documents, key);
      if (photo) await hazardPhotosOf(documents).add(key, body, photo);
      answered = await answer;
    } catch (error) {
      console.error('Failed to store the hazard', error);
      throw new InvalidForm({}, createHazard.failure);
    }
    if (answered === 'done') toast('Thank you. People who walk nearby will be told.');
    if (answered === 'waiting')
      toast('Your report is saved on this device. We’ll send it as soon as we can.');
    onDone();
  });
  useEffect(() => {
    if (!startsHere) return;
    findPosition({ messages: PLACES_MESSAGES }).then(setFirst, (error: unknown) =>
      console.warn('No position for the hazard yet', error),
    );
  }, [startsHere]);
  const move = (changed: Partial<typeof point>) => {
    setPoint((before) => ({ ...before, ...changed }));
    form.clear('latitude', 'longitude');
  };

  return (
    <Form form={form} submit={submit} pending="Sending…" onCancel={onDone} isInView>
      <KindChoice
        value={kind}
        error={form.fields['kind']}
        onPick={(picked) => {
          setKind(picked);
          onKind?.(picked);
          form.clear('kind');
        }}
      />
      {isLostDog && (
        <Field
          label={optionalLabel('Name of the dog')}
          value={dogName}
          maxLength={LOST_DOG_NAME_MAX}
          autoComplete="off"
          error={form.fields['dog_name']}
          onChange={({ target }) => {
            setDogName(target.value);
            form.clear('dog_name');
          }}
        />
      )}
      {isFolded && (
        <div className="flex flex-wrap items-center justify-between gap-x-3 rounded-control bg-sunken py-1 pl-3.5">
          <p className="flex items-center gap-2 font-bold">
            <MapPin aria-hidden className="size-5 shrink-0 text-accent" />
            Where you are now
          </p>
          <Button
            look="quiet"
            className="px-3!"
            onClick={() => {
              if (first) setPoint(typedPoint(first));
              setFolded(false);
            }}
          >
            Change<span className="sr-only"> where it is</span>
          </Button>
        </div>
      )}
      {!isFolded && (
        <HerePinField
          legend="Where it is"
          value={point}
          form={form}
          find={findHere}
          hint="If you leave both empty, we fill in where you are for you to check."
          onChange={move}
        />
      )}
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
      {isLostDog && (
        <Field
          label={optionalLabel('How to reach you')}
          hint="Such as a phone number. All members nearby see it until the dog is found."
          value={contact}
          maxLength={LOST_DOG_CONTACT_MAX}
          autoComplete="tel"
          error={form.fields['contact']}
          onChange={({ target }) => {
            setContact(target.value);
            form.clear('contact');
          }}
        />
      )}
      <ImageField
        label={optionalLabel('Photo')}
        noun="photo"
        preview={
          preview && <img src={preview} alt="" className="size-16 rounded-control object-cover" />
        }
        hasImage={picture.shown !== null}
        error={picture.problem}
        onChoose={(file) => picture.choose(file)}
        remove={{ label: 'Remove the photo', onRemove: picture.clear }}
      />
      <p className="text-sm text-soft">
        {isLostDog
          ? 'Members see the dog, the place and how to reach you, but not your name.'
          : 'Members see the hazard and its place, but not who reported it.'}
      </p>
    </Form>
  );
}

/** Who lost a dog is in a hurry. */
const KINDS = (Object.keys(HAZARD_NAMES) as HazardKind[]).toSorted(
  (a, b) => Number(b === 'lost_dog') - Number(a === 'lost_dog'),
);

/** What the hazard is, each kind as a tile that a thumb hits. */
function KindChoice({
  value,
  error,
  onPick,
}: {
  value: HazardKind | null;
  error: string | undefined;
  onPick: (kind: HazardKind) => void;
}) {
  const errorId = useId();
  return (
    <fieldset aria-describedby={error ? errorId : undefined}>
      <legend className="mb-1.5 font-bold">What is it?</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
        {KINDS.map((kind) => {
          const Icon = HAZARD_ICONS[kind];
          return (
            <label
              key={kind}
              className="relative flex min-h-20 cursor-pointer flex-col items-center justify-center gap-1 rounded-control border border-line-strong p-1.5 text-center text-sm leading-tight font-bold has-checked:border-accent has-checked:bg-accent-soft has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
            >
              <Icon aria-hidden className="size-6 shrink-0 text-poor" />
              {HAZARD_NAMES[kind]}
              <input
                type="radio"
                name="kind"
                value={kind}
                checked={value === kind}
                onChange={() => onPick(kind)}
                className="absolute inset-0 size-full cursor-pointer opacity-0"
              />
            </label>
          );
        })}
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  );
}
