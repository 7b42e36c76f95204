import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { type Dog, type SoundType } from '#shared/dogs/contract.ts';
import { DOG_NAME_MAX } from '#shared/dogs/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { usePicture } from '../../platform/pictures/use-picture.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { ImageField } from '../../platform/ui/inputs/image-field.tsx';
import { LeashChoice } from '../../platform/ui/inputs/leash-choice.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { useObjectUrl } from '../../platform/ui/inputs/use-object-url.ts';
import { DogPicture } from '../card/dog-picture.tsx';
import { useCard } from '../card/use-card.ts';
import { usePictures } from '../card/use-pictures.ts';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { speakSoundType } from '../sounds/audio.ts';
import { birthYearProblem, DogDetails, type TypedDetails } from './dog-details.tsx';
import { DogNotes } from './dog-notes.tsx';

/**
 * Adds or edits a dog. Writes only changed fields, so that simultaneous edits of other fields on another device
 * are preserved.
 */
export default function DogForm({
  dog,
  onDelete,
  onDone,
}: {
  dog: Dog | null;
  /** Called to delete the edited dog. */
  onDelete?: () => void;
  onDone: () => void;
}) {
  const { addDog, editDog, setDogImage } = useCard();
  const waiting = usePictures().get(dog?.id ?? '');
  const [typedName, setName] = useState<string | null>(null);
  const [pickedType, setType] = useState<SoundType | null>(null);
  const [typed, setTyped] = useState<Partial<TypedDetails>>({});
  const chosen = usePicture();
  const preview = useObjectUrl(chosen.shown);
  const filter = useContentFilter();
  const name = typedName ?? dog?.name ?? '';
  // An unchanged name may violate a newer rule without blocking other edits.
  const refusal = name === dog?.name ? undefined : filter('dog_name', { name })['name'];
  const details: TypedDetails = {
    breed: dog?.breed ?? '',
    size: dog?.size ?? null,
    coat: dog?.coat ?? null,
    birth_year: dog?.birth_year ? String(dog.birth_year) : '',
    notes: dog?.notes ?? [],
    ...typed,
  };
  const { breed } = typed;
  const breedRefusal = breed ? filter('dog_name', { breed })['breed'] : undefined;
  const type = pickedType ?? dog?.sound_type ?? null;

  function pickType(picked: SoundType) {
    setType(picked);
    void speakSoundType(picked);
  }

  const form = useSubmit(async () => {
    if (!name.trim() || refusal || breedRefusal || !type) throw new InvalidForm({});
    const { birth_year } = typed;
    if (birthYearProblem(details.birth_year)) throw new InvalidForm({});
    const written = {
      ...typed,
      birth_year: birth_year === undefined ? undefined : Number(birth_year) || null,
    };
    const picture = await chosen.taken();
    try {
      if (dog)
        editDog(dog.id, {
          ...written,
          name: typedName ?? undefined,
          sound_type: pickedType ?? undefined,
        });
      const id = dog?.id ?? addDog({ ...written, name, sound_type: type });
      if (picture) await setDogImage(id, picture);
    } catch (error) {
      console.error(dog ? 'Failed to save dog' : 'Failed to add your dog.', error);
      throw new InvalidForm({}, 'We couldn’t save this. Try again in a moment.');
    }
    onDone();
  });
  const url = preview ?? (waiting?.state === 'refused' ? undefined : waiting?.url);

  return (
    <Form
      form={form}
      submit={dog ? 'Save' : 'Add Dog'}
      disabled={
        !name.trim() ||
        !type ||
        refusal !== undefined ||
        breedRefusal !== undefined ||
        birthYearProblem(details.birth_year) !== undefined
      }
      onCancel={onDone}
      isInView
      className="gap-5"
    >
      <Field
        label="Dog name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={typedName !== null && !name.trim() ? 'Required' : refusal}
        maxLength={DOG_NAME_MAX}
        autoComplete="off"
        required
      />
      <ImageField
        label={optionalLabel('Photo')}
        preview={
          <DogPicture
            imageKey={dog?.image_key ?? null}
            dog={dog ?? undefined}
            url={url}
            className="size-20"
          />
        }
        hasImage={Boolean(dog?.image_key || url)}
        error={chosen.problem}
        onChoose={chosen.choose}
      />
      <LeashChoice legend="How does your dog meet others?" value={type} onPick={pickType} />
      <DogNotes
        notes={details.notes}
        onChange={(notes) => setTyped((before) => ({ ...before, notes }))}
      />
      <DogDetails
        details={details}
        onChange={(changed) => setTyped((before) => ({ ...before, ...changed }))}
        breedError={breedRefusal}
      />
      {dog && (
        <Button
          look="quiet"
          Icon={Trash2}
          onClick={onDelete}
          className="-ml-5 self-start text-poor!"
        >
          Delete {dog.name}
        </Button>
      )}
    </Form>
  );
}
