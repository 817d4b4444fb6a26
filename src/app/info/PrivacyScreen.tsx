export default function PrivacyScreen() { return <h1>PrivacyScreen</h1> }
