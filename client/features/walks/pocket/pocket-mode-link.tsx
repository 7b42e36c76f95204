import { Smartphone } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { ButtonLink } from '../../../platform/ui/buttons/button.tsx';
import { POCKET } from './pocket-address.ts';

/** Opens pocket mode. */
export function PocketModeLink({ className = '' }: { className?: string }) {
  const [search] = useSearchParams();
  const to = new URLSearchParams(search);
  to.set('open', POCKET);
  return (
    <ButtonLink look="secondary" to={`?${to}`} className={className} Icon={Smartphone}>
      Pocket mode
    </ButtonLink>
  );
}
