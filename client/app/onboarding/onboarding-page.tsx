import { Check } from 'lucide-react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { dogNote, type SoundType, soundType } from '#shared/dogs/contract.ts';
import { DOG_NAME_MAX } from '#shared/dogs/rules.ts';
import { DISPLAY_NAME_MAX } from '#shared/profile/rules.ts';
import { takeWanted } from '../../features/access-gate/wanted-path.ts';
import { useCard } from '../../features/card/use-card.ts';
import { DogNotes } from '../../features/dogs/dog-notes.tsx';
import { useContentFilter } from '../../features/moderation/use-content-filter.ts';
import { EditProfile } from '../../features/profile/edit-profile.tsx';
import { useSharing } from '../../features/profile/use-sharing.ts';
import { firstReport, JUST_SET_UP } from '../../features/proximity/walk-start.ts';
import { speakSoundType } from '../../features/sounds/audio.ts';
import { Illustration } from '../../platform/illustrations/illustration.tsx';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useUnavailableText } from '../../platform/sync/status/use-unavailable-text.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Field } from '../../platform/ui/inputs/field.tsx';
import { LeashChoice } from '../../platform/ui/inputs/leash-choice.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { showFromTop } from '../../platform/ui/navigation/show-from-top.ts';
import { LocationStep } from './location-step.tsx';

const STEPS = ['You', 'Your dog', 'Location'] as const;
const SCENES = ['name', 'dogs', 'location'] as const;
const HEADINGS = [
  'What should we call you?',
  'Who walks with you?',
  'Share where you walk?',
] as const;

/**
 * The three steps of the setup; with a profile, the page that edits it. Typed values take precedence over stored ones. An
 * incomplete setup survives a reload.
 */
export default function OnboardingPage() {
  const user = useUser();
  const { status, card, saveProfile, addDog, editDog } = useCard();
  const { isSharing, saveSharing } = useSharing();
  const unavailable = useUnavailableText('it');
  const navigate = useNavigate();
  const heading = useRef<HTMLHeadingElement>(null);
  const [begun] = useState(() => (user ? readDraft(user.id) : NO_DRAFT));
  const [draft, setDraft] = useState(begun);
  const completed = useRef(false);
  const [failure, setFailure] = useState('');
  const [isComplete, setComplete] = useState(false);
  const [isFinishing, setFinishing] = useState(false);

  const firstDog = card?.dogs[0];
  const isEdit = Boolean(card?.display_name);
  const { step } = draft;
  const name = draft.name ?? (card?.display_name || user?.given_name || '');
  const dogName = draft.dogName ?? firstDog?.name ?? '';
  const type = draft.type ?? firstDog?.sound_type ?? null;
  const notes = draft.notes ?? firstDog?.notes ?? [];
  const sharing = draft.allowed || isSharing;
  const filter = useContentFilter();
  // An unchanged name may violate a newer rule.
  const nameRefusal =
    name === card?.display_name ? undefined : filter('display_name', { name })['name'];
  const dogRefusal =
    dogName === firstDog?.name ? undefined : filter('dog_name', { dogName })['dogName'];
  const ready = [
    name.trim() !== '' && !nameRefusal,
    dogName.trim() !== '' && type !== null && !dogRefusal,
    true,
  ][step];

  useEffect(() => {
    if (!user || completed.current || status === 'loading') return;
    if (!isEdit && draft !== NO_DRAFT) storeDraft(user.id, draft);
  }, [user, status, isEdit, draft]);
  useEffect(() => {
    if (!user || completed.current || !isEdit || begun === NO_DRAFT) return;
    // The setup was completed on another device.
    storeDraft(user.id, null);
    setDraft(NO_DRAFT);
  }, [user, isEdit, begun]);

  const before = useRef(step);
  useEffect(() => {
    if (before.current !== step) showFromTop(heading.current);
    before.current = step;
  }, [step]);

  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });

  function pick(picked: SoundType) {
    change({ type: picked });
    void speakSoundType(picked);
  }

  /** @param shares whether the location may be shared */
  function complete(shares: boolean) {
    if (!name.trim() || !dogName.trim() || !type) return;
    completed.current = true;
    setComplete(true);
    let failing = 'Failed to create your user profile.';
    try {
      saveProfile({ display_name: name });
      saveSharing(shares);
      firstReport.set(shares);
      failing = 'Failed to add your dog.';
      const dog = { name: dogName, sound_type: type, notes };
      if (firstDog) editDog(firstDog.id, dog);
      else addDog(dog);
      if (user) storeDraft(user.id, null);
      void navigate(takeWanted(), { state: JUST_SET_UP });
    } catch (error) {
      console.error(failing, error);
      setFailure(failing);
    }
  }

  useEffect(() => {
    if (isFinishing && status === 'ready' && !completed.current) complete(true);
  });

  function next(event: FormEvent) {
    event.preventDefault();
    if (!ready) return;
    if (step < STEPS.length - 1) return change({ step: step + 1 });
    complete(sharing);
  }

  // The card may arrive while someone types: what they typed stays.
  const typed = draft.name === begun.name ? null : draft.name;
  if (card?.display_name && !isComplete) return <EditProfile card={card} typed={typed} />;
  return (
    <Screen title="Set up" className="mx-auto w-full max-w-md px-4 py-6">
      {user?.is_admin && step === 0 && (
        <Link to="/admin" className="mb-2 flex min-h-11 items-center font-bold text-accent">
          Just administering? Open the admin panel
        </Link>
      )}
      <Progress steps={STEPS} current={step} />
      <form onSubmit={next} noValidate className="mt-5 flex flex-col gap-5">
        {/* Beside each other, so that a small phone shows the primary button without scrolling. */}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <h1
            ref={heading}
            tabIndex={-1}
            className="min-w-0 flex-1 basis-32 text-2xl font-bold tracking-tight wrap-anywhere"
          >
            {HEADINGS[step]}
          </h1>
          <Illustration name={SCENES[step] ?? 'name'} size="small" />
        </div>
        {step === 0 && (
          <Field
            label="Display name"
            hint="Shown to people you meet on a walk."
            value={name}
            onChange={(event) => change({ name: event.target.value })}
            error={nameRefusal}
            maxLength={DISPLAY_NAME_MAX}
            autoComplete="nickname"
            required
          />
        )}
        {step === 1 && (
          <>
            <Field
              label="Dog name"
              value={dogName}
              onChange={(event) => change({ dogName: event.target.value })}
              error={dogRefusal}
              maxLength={DOG_NAME_MAX}
              autoComplete="off"
              required
            />
            <LeashChoice legend="How does your dog meet others?" value={type} onPick={pick} />
            <details className="-my-2">
              <Summary chevron="end">Blind, deaf, in heat, in training?</Summary>
              <DogNotes notes={notes} onChange={(picked) => change({ notes: picked })} />
            </details>
          </>
        )}
        {step === 2 && (
          <LocationStep
            allowed={sharing}
            onAllowed={() => {
              change({ allowed: true });
              // The setup asks nothing more.
              setFinishing(true);
            }}
          />
        )}
        {failure && <ErrorBanner>{failure} Try again in a moment.</ErrorBanner>}
        {status === 'unavailable' && (
          <ErrorBanner title="Your account hasn’t loaded on this device yet">
            {unavailable}
          </ErrorBanner>
        )}
        <div className="actions mt-2">
          {step > 0 && (
            <Button look="secondary" onClick={() => change({ step: step - 1 })}>
              Back
            </Button>
          )}
          <Button
            type="submit"
            wide
            look={step === 2 && !sharing ? 'secondary' : 'primary'}
            disabled={!ready || (step === 2 && status !== 'ready')}
            pending={step === 2 && status === 'loading' && 'Getting your account ready…'}
          >
            {step < STEPS.length - 1 ? (
              'Continue'
            ) : (
              <span>
                <span>Complete Setup</span>
                {!sharing && (
                  <span className="block text-sm font-normal">without warnings for now</span>
                )}
              </span>
            )}
          </Button>
        </div>
      </form>
    </Screen>
  );
}

/** The draft of an incomplete setup. */
const draft = z.object({
  step: z.number().int().min(0).max(2),
  name: z.string().nullable(),
  dogName: z.string().nullable(),
  type: soundType.nullable(),
  /** Setups that began in an app without notes have none. */
  notes: z.array(dogNote).nullable().catch(null),
  allowed: z.boolean(),
});
type Draft = z.infer<typeof draft>;

const NO_DRAFT: Draft = {
  step: 0,
  name: null,
  dogName: null,
  type: null,
  notes: null,
  allowed: false,
};

/** Returns this user's stored draft, such as after a reload. */
const readDraft = (userId: string): Draft => readCache(draft, userId, 'onboarding') ?? NO_DRAFT;

/** Stores the draft; null removes it. */
function storeDraft(userId: string, draft: Draft | null): void {
  writeCache(userId, 'onboarding', draft);
}

/** The steps: done ones with a check mark, the current one, and the remaining ones. */
function Progress({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <ol aria-label="Progress" className="flex flex-wrap gap-x-1 gap-y-2">
      {steps.map((name, step) => {
        const done = step < current;
        const here = step === current;
        return (
          <li
            key={name}
            aria-current={here ? 'step' : undefined}
            className={`flex flex-1 flex-col items-center gap-1.5 text-center text-sm ${here ? 'font-bold' : 'text-soft'}`}
          >
            <span
              aria-hidden
              className={`flex size-9 items-center justify-center rounded-full font-bold ${
                done
                  ? 'bg-accent text-on-accent'
                  : here
                    ? 'border-2 border-accent bg-surface text-accent'
                    : 'border border-line-strong text-soft'
              }`}
            >
              {done ? <Check className="size-5" strokeWidth={3} /> : step + 1}
            </span>
            <span>{name}</span>
            {done && <span className="sr-only">, done</span>}
          </li>
        );
      })}
    </ol>
  );
}
