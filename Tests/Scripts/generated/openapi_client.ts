// Drives a server with the client that openapi-generator generated: openapi_client.js FILE.

import { Configuration, DevicesApi, Filter, NotificationsApi, ResponseError } from './index';

declare const require: (name: string) => any;
declare const process: { argv: string[]; exit(status: number): void };

function expect(isTrue: boolean, what: unknown) {
  if (!isTrue) throw new Error(JSON.stringify(what));
}

async function main(path: string) {
  const given = JSON.parse(require('fs').readFileSync(path, 'utf8'));
  const configuration = new Configuration({ basePath: given.url, username: '', password: given.keys.push });
  const devices = new DevicesApi(configuration);
  const notifications = new NotificationsApi(configuration);

  const updated = await devices.updateDevice({
    deviceId: 'phone-4',
    updateDeviceRequest: {
      device: {
        user_id: 'lin', tags: ['green'], push_token: '33cc',
        user_attributes: { age: { type: 'integer', value: 40 } },
      },
    },
  });
  expect(updated.device.id === 'phone-4' && updated.dropped.length === 0, updated);
  const device = (await devices.readDevice({ deviceId: 'phone-4' })).devices;
  expect(device.user_id === 'lin' && device.push_enabled, device);

  const tag: Filter = { name: 'tags', criteria: ['green'] };
  const age: Filter = { name: 'custom.integer.age', criteria: [{ gte: 18 }] };
  // The client takes a list for an object without required members, and would send none of its filters.
  const created = await notifications.createNotification({
    createNotificationRequest: {
      notification: { to: { all: [tag, age] }, payload: { alert: 'Hello', badge: 1, screen: 'offers' }, throttle_per_second: 5 },
    },
  });
  const sent = await notifications.readNotification({ notificationId: created.notification.id });
  expect(sent.counts.targeted === 1 && sent.counts.expired === 0, sent);
  expect((created.notification.payload as any).screen === 'offers', created);

  try {
    await notifications.readNotification({ notificationId: '0'.repeat(24) });
    expect(false, 'a notification that is not there was read');
  } catch (error) {
    expect(error instanceof ResponseError && error.response.status === 404, String(error));
  }
}

main(process.argv[2]).catch((error) => {
  console.error(error);
  process.exit(1);
});
