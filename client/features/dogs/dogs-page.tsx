import { Screen } from '../../platform/ui/layout/screen.tsx';
import { MyDogs } from './my-dogs.tsx';

/** The owner's dogs. */
export default function DogsPage() {
  return (
    <Screen title="Dogs" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <MyDogs />
    </Screen>
  );
}
