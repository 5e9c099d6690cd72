const apn = require('@parse/node-apn');

const provider = new apn.Provider({
  token: { key: 'AuthKey.p8', keyId: 'KEY1234567', teamId: 'TEAM123456' },
  address: '127.0.0.1',
  port: 2197,
  ca: 'martlet-sandbox/ca.pem',
});

const push = new apn.Notification();
push.topic = 'com.example.app';
push.pushType = 'alert';
push.alert = { title: 'Rain until noon', body: 'Take an umbrella.' };
push.mutableContent = true;
push.payload = { image_url: 'https://example.com/rain.jpg' };

provider.send(push, '00ff').then(({ sent, failed }) => {
  console.log('sent', sent.length, 'failed', failed.length, ...failed);
  provider.shutdown();
});
