import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { formatWeekdayDate } from '#shared/dates.ts';
import { isImportedPlace, VISIT_NOTES_MAX } from '#shared/locations/rules.ts';
import {
  listVisits,
  updateVisit,
  VISITS_MAX,
  type OwnVisit,
} from '#shared/locations/visit-contract.ts';
import { Form } from '../../../platform/forms/form.tsx';
import { InvalidForm, useSubmit } from '../../../platform/forms/use-submit.ts';
import { call } from '../../../platform/http/api.ts';
import { useCachedQuery } from '../../../platform/session/use-cached-query.ts';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../../platform/ui/dialogs/confirm-dialog.tsx';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { MessageField } from '../../../platform/ui/inputs/message-field.tsx';
import { OsmAttribution } from '../../geocoder/osm-attribution.tsx';
import { usePlaceActions } from '../place/use-place-actions.ts';
import { useWaitingForPlaces, VISITS } from '../use-pending-places.ts';
import { visitsWithWaiting, type ShownVisit } from './optimistic-visits.ts';

/** The owner's visits, the latest first, with notes that only they see. */
export default function MyVisits({ onOpen }: { onOpen: (placeId: string) => void }) {
  const asked = useCachedQuery(VISITS, listVisits.answer, () => call(listVisits));
  const waiting = useWaitingForPlaces();
  const actions = usePlaceActions();
  const [edited, setEdited] = useState<string | null>(null);
  const [removing, setRemoving] = useState<OwnVisit | null>(null);
  if (!asked.data && asked.error) return <RetryBanner title={listVisits.failure} asked={asked} />;
  if (!asked.data) return <Skeleton label="Loading your visits…" lines={4} asked={asked} />;
  const visits = visitsWithWaiting(asked.data.visits, waiting);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm text-soft">
        Only you see this list and your notes. Others see how often a place was visited.
      </p>
      {visits.length === 0 && (
        <p>No visits yet. Press Visit at a place, and it will be listed here.</p>
      )}
      <ul aria-label="Visits" className="divide-y divide-line">
        {visits.map((visit) => (
          <li key={visit.id} className="py-3 first:pt-0">
            {edited === visit.id ? (
              <NotesForm
                visit={visit}
                save={(notes) => actions.editVisit(visit, notes)}
                onDone={() => setEdited(null)}
              />
            ) : (
              <Visit
                visit={visit}
                onOpen={onOpen}
                onEdit={() => setEdited(visit.id)}
                onRemove={() => setRemoving(visit)}
              />
            )}
          </li>
        ))}
      </ul>
      {visits.some(({ location_id }) => isImportedPlace(location_id)) && <OsmAttribution />}
      {visits.length >= VISITS_MAX && (
        <p className="text-sm text-soft">
          These are your latest {VISITS_MAX} visits. The download of your data has all of them.
        </p>
      )}
      <ConfirmDialog
        open={removing !== null}
        title="Remove this visit?"
        description="Its notes are removed, too. Your rating of the place stays."
        yes="Remove"
        onYes={() => {
          if (removing)
            void actions
              .removeVisit(removing)
              .catch((error: unknown) => console.error('Failed to remove the visit', error));
        }}
        onClose={() => setRemoving(null)}
      />
    </div>
  );
}

const nameOf = ({ location_name }: OwnVisit): string =>
  location_name ?? 'A place that’s no longer listed';
const labelOf = (visit: OwnVisit): string =>
  `${nameOf(visit)}, ${formatWeekdayDate(visit.visit_date)}`;

function Visit({
  visit,
  onOpen,
  onEdit,
  onRemove,
}: {
  visit: ShownVisit;
  onOpen: (placeId: string) => void;
  onEdit: () => void;
  onRemove: () => void;
}) {
  return (
    <div className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        {visit.location_name === null ? (
          <p className="font-bold">{nameOf(visit)}</p>
        ) : (
          <button
            type="button"
            onClick={() => onOpen(visit.location_id)}
            className="min-h-11 max-w-full text-left font-bold break-words text-accent underline underline-offset-4"
          >
            {visit.location_name}
          </button>
        )}
        <p className="text-sm text-soft">
          <time dateTime={visit.visit_date}>{formatWeekdayDate(visit.visit_date)}</time>
          {visit.isWaiting && <span>{' · not sent yet'}</span>}
        </p>
        {visit.notes && <p className="mt-1 break-words whitespace-pre-line">{visit.notes}</p>}
      </div>
      <IconButton
        Icon={Pencil}
        label={`${visit.notes ? 'Edit' : 'Add'} notes: ${labelOf(visit)}`}
        onClick={onEdit}
      />
      <IconButton Icon={Trash2} label={`Remove the visit: ${labelOf(visit)}`} onClick={onRemove} />
    </div>
  );
}

function NotesForm({
  visit,
  save,
  onDone,
}: {
  visit: OwnVisit;
  save: (notes: string | null) => Promise<void>;
  onDone: () => void;
}) {
  const [notes, setNotes] = useState(visit.notes ?? '');
  const form = useSubmit(async () => {
    try {
      await save(notes.trim() || null);
    } catch (error) {
      console.error('Failed to store the notes', error);
      throw new InvalidForm({}, updateVisit.failure);
    }
    onDone();
  });
  return (
    <Form form={form} submit="Save" onCancel={onDone}>
      <MessageField
        label={`Notes: ${labelOf(visit)}`}
        value={notes}
        onChange={setNotes}
        max={VISIT_NOTES_MAX}
        rows={3}
      />
    </Form>
  );
}
