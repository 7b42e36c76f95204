import { Flag } from 'lucide-react';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { ReportForm, type Reported } from './report-form.tsx';

/** The part of a profile that is being reported; null if none. */
export type ReportedOfProfile = Extract<Reported, { type: 'person' | 'picture' }> | null;

/** Reports a person or a picture, inside their open profile. */
export function ReportPerson({
  person,
  reported,
  dogName,
  onChange,
}: {
  person: { user_id: string; name: string };
  reported: ReportedOfProfile;
  /** The dog in the reported picture. */
  dogName: string;
  onChange: (reported: ReportedOfProfile) => void;
}) {
  if (!reported)
    return (
      <Button look="quiet" onClick={() => onChange({ type: 'person' })} Icon={Flag}>
        Report User
      </Button>
    );
  const title = reported.type === 'picture' ? `the photo of ${dogName}` : person.name;
  return (
    <section
      aria-label={`Report ${title}`}
      className="flex flex-col gap-4 rounded-control border border-line-strong p-4"
    >
      <div>
        <h3
          // The form appears below the visible area, so it gets the focus.
          ref={focusOnMount}
          tabIndex={-1}
          className="font-bold break-words"
        >
          Report {title}
        </h3>
        <p className="text-soft">
          Only our moderators can see this. {person.name} won’t know who reported it.
        </p>
      </div>
      <ReportForm
        key={reported.type === 'picture' ? reported.image_key : reported.type}
        reported={reported}
        person={person}
        question="What’s wrong?"
        onDone={() => onChange(null)}
      />
    </section>
  );
}

const focusOnMount = (heading: HTMLElement | null): void => heading?.focus();
