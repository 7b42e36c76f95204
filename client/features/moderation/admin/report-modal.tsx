import { Modal } from '../../../platform/ui/dialogs/modal.tsx';
import { ReportForm, type Reported } from '../report-form.tsx';

const TITLES: Record<Reported['type'], string> = {
  message: 'Report Message',
  person: 'Report Person',
  picture: 'Report Photo',
  friend_request: 'Report Friend Request',
  planned_walk: 'Report Planned Walk',
};

/** A dialog to report a person, or their message, photo, friend request or planned walk. */
export default function ReportModal({
  reported,
  text,
  person,
  onClose,
  onBlock,
}: {
  reported: Reported;
  /** The reported text; null if there is none. */
  text: string | null;
  /** Its author. */
  person: { user_id: string; name: string };
  onClose: () => void;
  /** Asks whether to block the author, too. */
  onBlock?: () => void;
}) {
  return (
    <Modal
      open
      onClose={onClose}
      title={TITLES[reported.type]}
      description={`Only our moderators can see this. ${reported.type === 'message' ? `If we act on it, ${person.name} learns which message it’s about. They aren’t told who reported it, but they may guess.` : `${person.name} won’t know who reported it.`}`}
    >
      <ReportForm
        reported={reported}
        person={person}
        question={reported.type === 'person' ? 'What’s wrong?' : 'What’s wrong with it?'}
        onDone={onClose}
        onBlock={onBlock}
      >
        {text && (
          <blockquote className="max-h-28 overflow-y-auto rounded-control border-l-4 border-line-strong bg-sunken px-3.5 py-2 break-words whitespace-pre-wrap">
            {text}
          </blockquote>
        )}
      </ReportForm>
    </Modal>
  );
}
