import { CloudUpload, Pencil, Plus, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import { type Dog } from '#shared/dogs/contract.ts';
import { DOGS_MAX } from '#shared/dogs/rules.ts';
import { EmptyState } from '../../platform/illustrations/empty-state.tsx';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { afterPaint } from '../../platform/scheduling/after-paint.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import type { WaitingPicture } from '../../platform/sync/outbox/upload-outbox.ts';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { IconButton } from '../../platform/ui/buttons/icon-button.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { LeashBadge } from '../../platform/ui/layout/leash-badge.tsx';
import { DogFacts } from '../card/dog-facts.tsx';
import { DogPicture } from '../card/dog-picture.tsx';
import { useCard } from '../card/use-card.ts';
import { usePictures } from '../card/use-pictures.ts';
import { OwnDogTier } from '../friendly-index/dog-tier.tsx';

const loadForm = () => import('./dog-form.tsx');
const DogForm = lazyComponent(loadForm, () => <Skeleton label="Loading form…" />);

/**
 * The owner's dogs: list, add, edit, delete; in short on the home screen, or as a page with the heading. The address opens the
 * forms: `?open=add-dog`, `?open=edit-dog&dog={id}`.
 */
export function MyDogs({ isCompact = false }: { isCompact?: boolean }) {
  const { status, card, removeDog, restoreDog } = useCard();
  const user = useUser();
  const pictures = usePictures();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [isDeleting, setDeleting] = useState(false);
  useEffect(() => {
    // Before the service worker has cached the app, the form would not open without a network.
    if (navigator.serviceWorker?.controller) return;
    void afterPaint()
      .then(loadForm)
      .catch(() => null);
  }, []);
  const dogs = card?.dogs ?? [];
  const open = search.get('open');
  const editing =
    open === 'edit-dog' ? (dogs.find(({ id }) => id === search.get('dog')) ?? null) : null;
  const close = useCloseDialog('open', 'dog');
  const remove = (dog: Dog) => {
    removeDog(dog.id);
    void close();
    toast(`${dog.name} was deleted`, {
      action: { label: 'Undo', onClick: () => restoreDog(dog) },
    });
  };
  const isFull = dogs.length >= DOGS_MAX;
  const add = dogs.length > 0 && !isFull && (
    <ButtonLink
      look={isCompact ? 'quiet' : 'secondary'}
      className={isCompact ? '-mr-2 px-2! text-sm' : ''}
      to="?open=add-dog"
      Icon={Plus}
    >
      Add Dog
    </ButtonLink>
  );

  const content = (
    <>
      {status === 'loading' && !card && <Skeleton label="Loading your dogs…" lines={2} />}
      {status === 'unavailable' && (
        <p className="text-soft">Your dogs haven’t loaded on this device yet.</p>
      )}
      {card && dogs.length === 0 && <NoDogs />}
      <ul className="divide-y divide-line empty:hidden">
        {dogs.map((dog) => (
          <DogRow
            key={dog.id}
            dog={dog}
            userId={user?.id ?? ''}
            picture={pictures.get(dog.id)}
            isCompact={isCompact}
            onEdit={() => navigate(`?open=edit-dog&dog=${dog.id}`)}
          />
        ))}
      </ul>
      {isFull && <p className="mt-3 text-soft">You’ve reached the limit of {DOGS_MAX} dogs.</p>}
      <Modal open={open === 'add-dog' && card !== null} onClose={close} title="Add Dog">
        <DogForm dog={null} onDone={close} />
      </Modal>
      <Modal open={editing !== null} onClose={close} title={`Edit ${editing?.name ?? ''}`}>
        <DogForm
          key={editing?.id}
          dog={editing}
          onDelete={() => setDeleting(true)}
          onDone={close}
        />
        <ConfirmDialog
          open={isDeleting}
          title="Are you sure you want to delete this dog?"
          description={`${editing?.name ?? ''} will be removed from all your devices, and no one will be warned about this dog anymore.`}
          yes="Delete"
          no="Keep"
          onYes={() => editing && remove(editing)}
          onClose={() => setDeleting(false)}
        />
      </Modal>
    </>
  );
  if (isCompact)
    return (
      <Card id="my-dogs" title="My Dogs" action={add}>
        {content}
      </Card>
    );
  return (
    <section aria-label="My Dogs" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
        <h1 tabIndex={-1} className="text-2xl font-bold tracking-tight sm:text-3xl">
          Dogs
        </h1>
        {add}
      </div>
      <div className="rounded-card border border-line bg-surface px-[min(1rem,4.5vw)] py-4 shadow-lift sm:px-5">
        {content}
      </div>
    </section>
  );
}

function NoDogs() {
  return (
    <EmptyState
      illustration="dogs"
      action={
        <ButtonLink to="?open=add-dog" Icon={Plus}>
          Add Dog
        </ButtonLink>
      }
    >
      No dogs yet. Add yours so others know whether it needs space.
    </EmptyState>
  );
}

function DogRow({
  dog,
  userId,
  picture,
  isCompact,
  onEdit,
}: {
  dog: Dog;
  userId: string;
  picture: WaitingPicture | undefined;
  isCompact: boolean;
  onEdit: () => void;
}) {
  return (
    <li
      className={`flex flex-wrap items-center gap-x-3 first:pt-0 last:pb-0 ${isCompact ? 'py-1' : 'py-3'}`}
    >
      <DogPicture
        imageKey={dog.image_key}
        dog={dog}
        url={picture?.state === 'refused' ? undefined : picture?.url}
        className={isCompact ? 'size-11' : 'size-14 sm:size-16'}
      />
      <div
        className={`min-w-0 flex-1 basis-28 ${isCompact ? 'flex flex-wrap items-center gap-x-2' : ''}`}
      >
        <p className="text-lg leading-snug font-bold">{dog.name}</p>
        <LeashBadge type={dog.sound_type} />
        <DogFacts dog={dog} />
        {!isCompact && <OwnDogTier dog={dog} userId={userId} />}
      </div>
      <div className="-mr-2 flex">
        <IconButton Icon={Pencil} label={`Edit ${dog.name}`} onClick={onEdit} />
      </div>
      {picture && <PictureNote picture={picture} />}
    </li>
  );
}

function PictureNote({ picture: { state, problem } }: { picture: WaitingPicture }) {
  if (state === 'sent') return null;
  const Icon = state === 'refused' ? TriangleAlert : CloudUpload;
  return (
    <p className="mt-1.5 flex basis-full items-start gap-1.5 text-sm text-soft">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {state === 'refused'
        ? `Photo rejected: ${problem}. Choose another one.`
        : 'Photo saved on this device, not uploaded yet'}
    </p>
  );
}
