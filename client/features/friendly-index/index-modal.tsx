import { useSearchParams } from 'react-router-dom';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useCloseDialog } from '../../platform/ui/dialogs/use-close-dialog.ts';
import { useOwnCard } from '../card/use-card.ts';
import { IndexExplained } from './index-explained.tsx';

/** A dialog: `?open=index` explains the owner's score, with `&dog={id}` a dog's. */
export default function IndexModal() {
  const user = useUser();
  const card = useOwnCard();
  const [search] = useSearchParams();
  const close = useCloseDialog('open', 'dog');
  const dogId = search.get('dog');
  const dog = card?.dogs.find(({ id }) => id === dogId);
  return (
    <Modal
      open
      onClose={close}
      title={dog ? `Why ${dog.name} has this score` : 'Why you have this score'}
    >
      <IndexExplained userId={user?.id ?? ''} dogId={dog?.id} />
    </Modal>
  );
}
