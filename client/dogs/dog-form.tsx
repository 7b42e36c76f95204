import { useId, useRef, useState, type FormEvent } from 'react';
import { DOG_NAME_MAX, type Dog, type SoundType } from '#shared/dogs/contract.ts';
import { useContentFilter } from '../moderation/use-content-filter.ts';
import { useCard } from '../profile/use-card.ts';
import { speakSoundType } from '../proximity/sound.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBanner } from '../ui/error-banner.tsx';
import { FieldError } from '../ui/field-error.tsx';
import { Field } from '../ui/field.tsx';
import { ImageButton } from '../ui/image-button.tsx';
import { optionalLabel } from '../ui/optional-label.tsx';
import { LeashChoice } from '../ui/leash-choice.tsx';
import { useObjectUrl } from '../ui/use-object-url.ts';
import { DogPicture } from './dog-picture.tsx';
import { shrinkPicture } from './shrink-picture.ts';
import { usePictures } from './use-pictures.ts';

/**
 * Adds a dog, or edits one. Only what was touched here is written, so that an edit of the rest on another
 * device stands.
 */
export function DogForm({ dog, onDone }: { dog: Dog | null; onDone: () => void }) {
  const { addDog, editDog, setDogImage } = useCard();
  const waiting = usePictures().get(dog?.id ?? '');
  const [typedName, setName] = useState<string | null>(null);
  const [pickedType, setType] = useState<SoundType | null>(null);
  const [shown, setPicture] = useState<Blob | null>(null);
  const beingMade = useRef<Promise<Blob> | null>(null);
  const [pictureProblem, setPictureProblem] = useState('');
  const [saving, setSaving] = useState(false);
  const [failed, setFailed] = useState(false);
  const preview = useObjectUrl(shown);
  const filter = useContentFilter();
  const name = typedName ?? dog?.name ?? '';
  // A name from before a rule does not keep its owner from the rest.
  const refusal = name === dog?.name ? undefined : filter('dog_name', { name })['name'];
  const type = pickedType ?? dog?.sound_type ?? null;

  function pickType(picked: SoundType) {
    setType(picked);
    void speakSoundType(picked);
  }

  function pickPicture(file: File) {
    setPictureProblem('');
    const making = shrinkPicture(file);
    // Saving may come sooner than a slow phone has made it small.
    beingMade.current = making;
    making.then(
      (made) => beingMade.current === making && setPicture(made),
      (error: unknown) => {
        if (beingMade.current !== making) return;
        beingMade.current = null;
        setPictureProblem(error instanceof Error ? error.message : String(error));
      },
    );
  }

  async function save(event: FormEvent) {
    event.preventDefault();
    if (!name.trim() || refusal || !type || saving) return;
    setSaving(true);
    const picture = await beingMade.current?.catch(() => null);
    if (picture === null) return setSaving(false);
    try {
      if (dog)
        editDog(dog.id, { name: typedName ?? undefined, sound_type: pickedType ?? undefined });
      const id = dog?.id ?? addDog({ name, sound_type: type });
      if (picture) await setDogImage(id, picture);
      onDone();
    } catch (error) {
      console.error(dog ? 'Failed to save dog' : 'Failed to add your dog.', error);
      setFailed(true);
      setSaving(false);
    }
  }

  return (
    <form onSubmit={(event) => void save(event)} noValidate className="flex flex-col gap-5">
      <Field
        label="Dog name"
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={typedName !== null && !name.trim() ? 'Required' : refusal}
        maxLength={DOG_NAME_MAX}
        autoComplete="off"
        required
      />
      <LeashChoice legend="How does your dog meet others?" value={type} onPick={pickType} />
      <PictureField
        imageKey={dog?.image_key ?? null}
        url={preview ?? (waiting?.state === 'refused' ? undefined : waiting?.url)}
        problem={pictureProblem}
        onPick={pickPicture}
      />
      {failed && <ErrorBanner>We couldn’t save this. Try again in a moment.</ErrorBanner>}
      <div className="actions">
        <Button look="secondary" onClick={onDone}>
          Cancel
        </Button>
        <Button
          type="submit"
          wide
          disabled={!name.trim() || !type || refusal !== undefined}
          pending={saving && 'Saving…'}
        >
          {dog ? 'Save' : 'Add Dog'}
        </Button>
      </div>
    </form>
  );
}

function PictureField({
  imageKey,
  url,
  problem,
  onPick,
}: {
  imageKey: string | null;
  url?: string;
  problem: string;
  onPick: (file: File) => void;
}) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-bold">{optionalLabel('Picture')}</p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <DogPicture imageKey={imageKey} url={url} className="size-20" />
        <ImageButton describedBy={`${id}-problem`} onPick={onPick}>
          {imageKey || url ? 'Change picture' : 'Choose a picture'}
        </ImageButton>
      </div>
      <FieldError id={`${id}-problem`}>{problem}</FieldError>
    </div>
  );
}
