import { useSearchParams } from 'react-router-dom';
import { useCard } from '../profile/use-card.ts';
import { useAuth } from '../session/use-auth.tsx';
import { Modal } from '../ui/modal.tsx';
import { DogIndexExplained, OwnerIndexExplained } from './index-explained.tsx';

/** Over the dashboard: `?open=index` explains the owner's score, with `&dog={id}` that of a dog. */
export function IndexModal({ onClose }: { onClose: () => void }) {
  const { user } = useAuth();
  const { card } = useCard();
  const [search] = useSearchParams();
  const dogId = search.get('dog');
  const dog = card?.dogs.find(({ id }) => id === dogId);
  const userId = user?.id ?? '';
  return (
    <Modal
      open={search.get('open') === 'index'}
      onClose={onClose}
      title={dog ? `Why ${dog.name} has this score` : 'Why you have this score'}
    >
      {dog ? (
        <DogIndexExplained key={dog.id} userId={userId} dogId={dog.id} />
      ) : (
        <OwnerIndexExplained userId={userId} />
      )}
    </Modal>
  );
}
