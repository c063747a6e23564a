/** Code that creates a delivery with only the required fields, as a user of each generated client would write it. */
const BODY =
  "{ pickup: { coordinates: { lat: 47.14, lng: 9.5209 }, contact: { name: 'Front desk', phone: '+4232301234' } }, " +
  "DROP_OFF: [{ coordinates: { lat: 47.16361, lng: 9.50598 }, contact: { name: 'Ada', phone: '+4237912399' } }] }";
const WIRE_BODY = BODY.replace('DROP_OFF', 'drop_off');

export const SAMPLES = {
  'openapi-typescript': `import createClient from 'openapi-fetch';
import type { paths } from './generated.ts';
const client = createClient<paths>({ baseUrl: 'http://localhost:3000' });
const { data, error } = await client.POST('/deliveries', { body: ${WIRE_BODY} });
console.log(error?.code, data?.id);
`,
  'hey-api': `import { createDelivery } from './generated/index.ts';
const { data, error } = await createDelivery({ baseUrl: 'http://localhost:3000', body: ${WIRE_BODY} });
console.log(error?.code, data?.id);
`,
  'typescript-fetch': `import { Configuration, DeliveriesApi } from './index';
const api = new DeliveriesApi(new Configuration({ basePath: 'http://localhost:3000', accessToken: 'key' }));
const made = await api.createDelivery({ newDelivery: ${BODY.replace('DROP_OFF', 'dropOff')} });
console.log(made.id);
`,
  java: `import java.math.BigDecimal;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.DeliveriesApi;
import org.openapitools.client.model.NewDelivery;

public class Sample {
  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath("http://localhost:3000");
    client.setBearerToken("key");
    NewDelivery body = NewDelivery.fromJson(args[0]);
    System.out.println(new DeliveriesApi(client).createDelivery(body, null, null, null, null).getId());
  }
}
`,
  python: `import openapi_client
from openapi_client.models.new_delivery import NewDelivery
body = NewDelivery.from_dict({
    "pickup": {"coordinates": {"lat": 47.14, "lng": 9.5209}, "contact": {"name": "Front desk", "phone": "+4232301234"}},
    "drop_off": [{"coordinates": {"lat": 47.16361, "lng": 9.50598}, "contact": {"name": "Ada", "phone": "+4237912399"}}],
})
assert set(body.to_dict()) == {"pickup", "drop_off"}, body.to_dict()
api = openapi_client.DeliveriesApi(openapi_client.ApiClient(openapi_client.Configuration("http://localhost:3000")))
assert callable(api.create_delivery)
`,
} as const;
