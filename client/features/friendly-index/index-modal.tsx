import { Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { useOwnCard } from '../card/use-card.ts';

const IndexExplained = lazyComponent(() => import('./index-explained.tsx'));

/** A dialog: `?open=index` explains the owner's score, with `&dog={id}` a dog's. */
export function IndexModal({ onClose }: { onClose: () => void }) {
  const user = useUser();
  const card = useOwnCard();
  const [search] = useSearchParams();
  const dogId = search.get('dog');
  const dog = card?.dogs.find(({ id }) => id === dogId);
  return (
    <Modal
      open={search.get('open') === 'index'}
      onClose={onClose}
      title={dog ? `Why ${dog.name} has this score` : 'Why you have this score'}
    >
      <Suspense fallback={<Skeleton label="Loading the details…" lines={5} />}>
        <IndexExplained userId={user?.id ?? ''} dogId={dog?.id} />
      </Suspense>
    </Modal>
  );
}
