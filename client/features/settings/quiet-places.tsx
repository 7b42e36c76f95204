import { MapPinOff, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { toast } from 'sonner';
import type { QuietPlace } from '#shared/settings/rules.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../platform/ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { QuietPlaceForm } from './quiet-place-form.tsx';
import { useSettings } from './use-settings.ts';
import { useUnits } from './use-units.ts';

/** The zones in which the owner isn't shown to others. */
export function QuietPlaces() {
  const { quietPlaces, addQuietPlace, removeQuietPlace } = useSettings();
  const units = useUnits();
  const { opened, id: openedId, open, close } = useDialogParam('place');
  const { hash } = useLocation();
  const [removing, setRemoving] = useState<QuietPlace | null>(null);
  const remove = ({ id, ...place }: QuietPlace) => {
    removeQuietPlace(id);
    toast(`${place.name} was removed`, {
      action: { label: 'Undo', onClick: () => addQuietPlace(place) },
    });
  };
  const edited = quietPlaces?.find(({ id }) => id === openedId);
  return (
    <Card title="Quiet places" id="quiet-places">
      <div className="flex flex-col gap-3">
        <p className="text-soft">
          For example around your home: while you’re there, others can’t see you and you won’t get
          alerts. Your position never leaves your device there.
        </p>
        {!quietPlaces && <Skeleton label="Loading quiet places…" lines={1} />}
        {quietPlaces && quietPlaces.length > 0 && (
          <ul className="flex flex-col gap-2">
            {quietPlaces.map((place) => (
              <li
                key={place.id}
                className="flex items-center gap-3 rounded-control border border-line py-1.5 pr-1.5 pl-3.5"
              >
                <MapPinOff aria-hidden className="size-5 shrink-0 text-soft" />
                <div className="min-w-0 flex-1">
                  <p className="font-bold break-words">{place.name}</p>
                  <p className="text-sm text-soft">{units.around(place.radius_feet)} around</p>
                </div>
                <IconButton
                  Icon={Pencil}
                  label={`Edit ${place.name}`}
                  onClick={() => open('quiet-place', place.id)}
                />
                <IconButton
                  Icon={Trash2}
                  label={`Remove ${place.name}`}
                  onClick={() => setRemoving(place)}
                />
              </li>
            ))}
          </ul>
        )}
        <ButtonLink look="secondary" to={{ search: 'open=quiet-place', hash }} Icon={Plus}>
          Add a quiet place
        </ButtonLink>
      </div>
      <ConfirmDialog
        open={removing !== null}
        title="Are you sure you want to remove this quiet place?"
        description={`${removing?.name ?? ''}: others will be able to see you there again while you share your location.`}
        yes="Remove"
        no="Keep"
        onYes={() => removing && remove(removing)}
        onClose={() => setRemoving(null)}
      />
      <Modal
        open={opened === 'quiet-place'}
        onClose={close}
        title={edited ? `Edit ${edited.name}` : 'Add a quiet place'}
        description={
          edited
            ? undefined
            : 'It’s created around where you are now, with the center shifted at random so it doesn’t give away your address.'
        }
      >
        <QuietPlaceForm key={edited?.id} edited={edited} onDone={close} />
      </Modal>
    </Card>
  );
}
