export default function BusinessScreen() { return <h1>BusinessScreen</h1> }
