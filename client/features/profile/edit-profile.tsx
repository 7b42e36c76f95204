import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Card } from '#shared/profile/document.ts';
import { ABOUT_MAX, DISPLAY_NAME_MAX } from '#shared/profile/rules.ts';
import { Form } from '../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../platform/forms/use-submit.ts';
import { usePicture } from '../../platform/pictures/use-picture.ts';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { ImageField } from '../../platform/ui/inputs/image-field.tsx';
import { MessageField } from '../../platform/ui/inputs/message-field.tsx';
import { optionalLabel } from '../../platform/ui/inputs/optional-label.tsx';
import { useObjectUrl } from '../../platform/ui/inputs/use-object-url.ts';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { OwnerPhoto } from '../card/owner-photo.tsx';
import { OWNER_PHOTO } from '../card/picture-outbox.ts';
import { useCard } from '../card/use-card.ts';
import { usePictures } from '../card/use-pictures.ts';
import { useContentFilter } from '../moderation/use-content-filter.ts';

/** Edits the owner's photo, name and the line about them. Writes only what was changed, on this device at once. */
export function EditProfile({
  card,
  typed,
}: {
  card: Card;
  /** A name that was typed before the card was there; null without one. */
  typed: string | null;
}) {
  const { saveProfile, saveAbout, setPhoto, removePhoto } = useCard();
  const navigate = useNavigate();
  const waiting = usePictures().get(OWNER_PHOTO);
  const filter = useContentFilter();
  const [typedName, setName] = useState(typed);
  const [typedAbout, setAbout] = useState<string | null>(null);
  const chosen = usePicture();
  const [isRemoved, setRemoved] = useState(false);
  const preview = useObjectUrl(chosen.shown);
  const nameField = useRef<HTMLInputElement>(null);
  const [wasTyping] = useState(typed !== null);
  useEffect(() => {
    // The field that this one replaces had the focus.
    if (wasTyping) nameField.current?.focus();
  }, [wasTyping]);

  const name = typedName ?? card.display_name;
  const about = typedAbout ?? card.about ?? '';
  // An unchanged text may violate a newer rule.
  const nameRefusal =
    name === card.display_name ? undefined : filter('display_name', { name })['name'];
  const aboutRefusal = about === card.about ? undefined : filter('about', { about })['about'];
  const isReady = name.trim() !== '' && !nameRefusal && !aboutRefusal;

  function dropPhoto() {
    chosen.clear();
    setRemoved(true);
  }

  const form = useSubmit(async () => {
    if (!isReady) throw new InvalidForm({});
    const photo = await chosen.taken();
    try {
      if (typedName !== null) saveProfile({ display_name: typedName });
      if (typedAbout !== null) saveAbout({ about: typedAbout });
      if (photo) await setPhoto(photo);
      else if (isRemoved) await removePhoto();
    } catch (error) {
      console.error('Failed to save the profile', error);
      throw new InvalidForm({}, 'We couldn’t save this. Try again in a moment.');
    }
    void navigate('/home');
  });

  const refused = waiting?.state === 'refused' ? waiting : undefined;
  const url = preview ?? (refused || isRemoved ? undefined : waiting?.url);
  const imageKey = isRemoved ? null : card.image_key;
  return (
    <Screen title="Edit Profile" className="mx-auto w-full max-w-md px-4 py-6">
      <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight">
        Edit Profile
      </h1>
      <p className="mt-1 text-soft">Your friends see this, and people you meet on a walk.</p>
      <Form
        form={form}
        submit="Save"
        disabled={!isReady}
        onCancel={() => void navigate('/home')}
        isInView
        className="mt-5 gap-5"
      >
        <ImageField
          label={optionalLabel('Photo')}
          noun="photo"
          preview={
            <OwnerPhoto imageKey={imageKey} name={name} url={url} className="size-20 text-3xl" />
          }
          hasImage={Boolean(imageKey || url)}
          error={chosen.problem || (refused?.problem ?? '')}
          onChoose={(file) => chosen.choose(file, () => setRemoved(false))}
          remove={{ label: 'Remove photo', onRemove: dropPhoto }}
        />
        <Field
          ref={nameField}
          label="Display name"
          hint="Shown to people you meet on a walk."
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={name.trim() === '' ? 'Required' : nameRefusal}
          maxLength={DISPLAY_NAME_MAX}
          autoComplete="nickname"
          required
        />
        <MessageField
          label="About you"
          hint="One line, such as when you usually walk."
          value={about}
          onChange={setAbout}
          max={ABOUT_MAX}
          rows={2}
          error={aboutRefusal}
        />
      </Form>
    </Screen>
  );
}
