import { Flag } from 'lucide-react';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { Button } from '../../platform/ui/buttons/button.tsx';
import type { Reported } from './report-form.tsx';

const ReportModal = lazyComponent(() => import('./admin/report-modal.tsx'));

/** The part of a profile that is being reported; null if none. */
export type ReportedOfProfile = Extract<Reported, { type: 'person' | 'picture' }> | null;

/** Reports a person, or a photo of theirs that was chosen elsewhere on the screen. */
export function ReportPerson({
  person,
  reported,
  dogName,
  onChange,
}: {
  person: { user_id: string; name: string };
  reported: ReportedOfProfile;
  /** The dog in the reported photo. */
  dogName: string;
  onChange: (reported: ReportedOfProfile) => void;
}) {
  return (
    <>
      <Button look="quiet" onClick={() => onChange({ type: 'person' })} Icon={Flag}>
        Report User
      </Button>
      {reported && (
        <ReportModal
          reported={reported}
          text={reported.type === 'picture' ? `The photo of ${dogName}` : null}
          person={person}
          onClose={() => onChange(null)}
        />
      )}
    </>
  );
}
